import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './engines.ts'
import { until } from './until.ts'

export type ThreadName = 'writer' | 'search' | 'delivery' | 'backup'

const preload = fileURLToPath(new URL('./hang-thread.js', import.meta.url))

/** Lets threads of a service hang as on a stalled disk: in a call of the system that nothing interrupts. */
export function hangThreads(t: TestContext) {
  const folder = temporaryFolder(t)
  const hungThreads = (name: ThreadName) => readdirSync(folder).filter((file) => file.startsWith(`${name}-`)).length

  return {
    /** For the service. */
    env: { NODE_OPTIONS: `--import=${preload}`, TEST_HANG_FOLDER: folder },

    /** How many threads of this name have hung so far. */
    hungThreads,

    /** Threads of this name hang from now on, also those that start later. Resolves when one does. */
    async hang(name: ThreadName): Promise<void> {
      const before = hungThreads(name)
      const { status, stderr } = spawnSync('mkfifo', [join(folder, name)], { encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr)
      await until(() => hungThreads(name) > before)
    },

    /** Lets all threads of this name go on. */
    async release(name: ThreadName): Promise<void> {
      const fifo = join(folder, name)
      // Fails while nobody reads: a thread may just begin to.
      await until(() => {
        try {
          const writing = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK)
          rmSync(fifo)
          closeSync(writing)
          return true
        } catch {
          return false
        }
      })
    },
  }
}
