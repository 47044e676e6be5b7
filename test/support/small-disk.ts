import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** Mounts a file system of 2 MiB in memory. Skips the test if this machine does not allow it. */
export function smallDisk(t: TestContext): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-test-disk-'))
  t.after(() => {
    spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder])
  if (status !== 0) {
    t.skip(
      'SKIPPED: no right to mount a small disk here (test/storage/sqlite-commits.test.ts has a full disk by page limit)',
    )
    return undefined
  }
  return folder
}

export function makeReadOnly(disk: string): void {
  const { status, stderr } = spawnSync('mount', ['-o', 'remount,ro', disk])
  if (status !== 0) throw new Error(stderr.toString())
}
