import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { until } from '../support/until.ts'
import type { Disk } from './disk.ts'

const script = `
  import { statSync } from 'node:fs'
  import { DatabaseSync } from 'node:sqlite'
  const [, path, synchronous] = process.argv
  const db = new DatabaseSync(path, { timeout: 1_000 })
  db.exec('PRAGMA synchronous = ' + synchronous)
  const checkpoint = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)')
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (;;) {
    if (statSync(path + '-wal').size === 0) Atomics.wait(pause, 0, 0, 1)
    else if (checkpoint.get().busy === 0) process.stdout.write('.')
  }`

/** A process on the same disk that makes a checkpoint whenever there is something in the log. */
export function startCheckpoints(t: TestContext, { folder, env }: Disk, synchronous = 'FULL') {
  const args = ['--input-type=module', '--eval', script, join(folder, 'petstore.db'), synchronous]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  let made = 0
  child.stdout.on('data', (dots: Buffer) => (made += dots.length))
  return {
    areMade: (count: number) => until(() => made >= count),
    kill: () => child.kill('SIGKILL'),
  }
}
