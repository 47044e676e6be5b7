import { setTimeout as sleep } from 'node:timers/promises'

/** Rejects if there is no result in time. The work itself goes on. */
export async function withTimeout<Result>(work: Promise<Result>, timeoutMs = 1_000): Promise<Result> {
  const timer = new AbortController()
  const timeout = sleep(timeoutMs, undefined, { ref: false, signal: timer.signal }).then(() =>
    Promise.reject(new Error(`There was no answer within ${timeoutMs} ms.`)),
  )
  try {
    return await Promise.race([work, timeout])
  } finally {
    timer.abort()
    timeout.catch(() => undefined)
  }
}
