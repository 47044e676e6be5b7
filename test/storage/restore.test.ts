import assert from 'node:assert/strict'
import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { backupStorage } from '../../src/storage/backup.ts'
import { openStorage } from '../../src/storage/open.ts'
import { restoreStorage } from '../../src/storage/restore.ts'
import { temporaryFolder } from '../support/engines.ts'

const nobody = 65534

test('restore says that the user may not write the database, and changes nothing', async (t) => {
  const folder = temporaryFolder(t)
  const [database, backup] = [join(folder, 'shop.db'), join(folder, 'backup.db')]
  const url = `sqlite:${database}`
  await (await openStorage(url)).close()
  await backupStorage(url, backup)
  chmodSync(folder, 0o777)
  chmodSync(database, 0o444)
  const files = readdirSync(folder)
  const isRoot = process.getuid?.() === 0

  if (isRoot) process.seteuid?.(nobody) // Root may write every file.
  const [restored] = await Promise.allSettled([
    restoreStorage(url, backup, { environment: 'production', overwrite: true }),
  ])
  if (isRoot) process.seteuid?.(0)

  assert.match(String(restored.status === 'rejected' && restored.reason), /may not write the database .* \(EACCES\)\.$/)
  assert.deepEqual(readdirSync(folder), files)
})

test('a restore that is refused leaves no folder', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'not-a-backup.db')
  writeFileSync(file, 'animals\n'.repeat(200))
  const url = `sqlite:${join(folder, 'shop', 'data', 'shop.db')}`

  await assert.rejects(restoreStorage(url, file, { environment: 'production', overwrite: false }), /not a SQLite/)

  assert.deepEqual(readdirSync(folder), ['not-a-backup.db'])
})
