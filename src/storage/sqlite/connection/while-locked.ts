import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseLocked } from './errors.ts'

interface Waiting {
  /** Told once why the start waits. */
  waits?: ((sentence: string) => void) | undefined
  timeoutMs?: number
}

/** How long a start waits for processes that make, migrate or close the database. */
const startTimeoutMs = 60_000
const pauseMs = 50

/** Repeats the work of a start while another process has the database locked. In between the process can be stopped. */
export async function whileLocked<Result>(
  work: () => Result | Promise<Result>,
  { waits, timeoutMs = startTimeoutMs }: Waiting = {},
): Promise<Result> {
  const deadline = performance.now() + timeoutMs
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseLocked) || performance.now() > deadline) throw error
      if (tries === 1) waits?.(`${error.message} The start waits for it.`)
      await sleep(pauseMs)
    }
  }
}
