import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Job, Outcome } from './load.ts'
import { startOn, stop } from './processes.ts'

/** The load, a process of its own on a core of its own. One for the whole run: it is warm, and it starts once. */
export interface Loader {
  run(job: Job): Promise<Outcome>
  isRunning(): boolean
  stop(): Promise<void>
}

export function startLoader(core: number, temporary: string, isUrgent = false): Loader {
  const output = openSync(join(temporary, 'load.log'), 'a')
  const command = { file: process.execPath, args: [fileURLToPath(new URL('load.ts', import.meta.url))] }
  return loaderIn(startOn(core, command, { temporary, output, ipc: true, isUrgent }))
}

/** The remote control of a process that takes jobs. */
export function loaderIn(child: ChildProcess): Loader {
  const ended = once(child, 'exit').then(() => {
    throw new Error('The load has ended by itself.')
  })
  ended.catch(() => undefined)
  // Sending to a load that has ended; `run` rejects for the same reason.
  child.on('error', () => undefined)

  return {
    async run(job) {
      const answer = once(child, 'message') as Promise<[Outcome]>
      child.send(job)
      const [outcome] = await Promise.race([answer, ended])
      return outcome
    },
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: () => stop(child),
  }
}
