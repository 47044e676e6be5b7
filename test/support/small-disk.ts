import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** Mounts a file system of 2 MiB in memory. Skips the test if this machine does not allow it. */
export function smallDisk(t: TestContext): string | undefined {
  const folder = mountDisk(t, 2)
  if (folder === undefined)
    t.skip(
      'SKIPPED: no right to mount a small disk here (test/storage/sqlite-commits.test.ts has a full disk by page limit)',
    )
  return folder
}

/** Mounts a file system of so many MiB in memory, for all users. Undefined if this machine does not allow it. */
export function mountDisk(t: TestContext, size: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-test-disk-'))
  t.after(() => {
    spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m`, 'tmpfs', folder])
  return status === 0 ? folder : undefined
}

export function makeReadOnly(disk: string): void {
  const { status, stderr } = spawnSync('mount', ['-o', 'remount,ro', disk])
  if (status !== 0) throw new Error(stderr.toString())
}
