import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { StorageSize } from '../../inventory/storage-stats.ts'

/** Takes no lock and reads nothing of the database. */
export async function measure(path: string): Promise<StorageSize> {
  if (path === ':memory:') return {}
  const [database, wal, disk] = await Promise.all([
    stat(path),
    stat(`${path}-wal`).catch(() => ({ size: 0 })),
    statfs(dirname(path)),
  ])
  return {
    databaseBytes: database.size,
    walBytes: wal.size,
    // What this user may use: some file systems keep a part for root.
    diskFreeBytes: disk.bavail * disk.bsize,
    diskBytes: disk.blocks * disk.bsize,
  }
}
