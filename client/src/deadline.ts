import { startTimer } from './timer.ts'

/** Aborts a request when its timeout expires or the caller aborts, and tells the two apart. */
export interface Deadline {
  readonly signal: AbortSignal
  readonly isExpired: boolean
  /** Starts the timeout. */
  start(timeoutMs: number): void
  /** Pauses the timeout until the next `start`. */
  pause(): void
  /** Aborts the request if it is still running, and stops listening to the caller's signal. */
  clear(): void
  /** Settles like `work`, or rejects when the signal aborts: a `fetch` given by the caller may ignore the signal. */
  race<Result>(work: Promise<Result>): Promise<Result>
}

/**
 * Written by hand: `AbortSignal.timeout` can be neither paused nor cancelled, and `AbortSignal.any` keeps a signal for
 * each finished request in memory as long as the caller's signal lives (Node, Deno).
 */
export function createDeadline(caller: AbortSignal | null | undefined): Deadline {
  const controller = new AbortController()
  const { signal } = controller
  let timer: ReturnType<typeof setTimeout> | undefined
  let isExpired = false
  const abort = () => controller.abort(caller?.reason)
  if (caller?.aborted === true) abort()
  caller?.addEventListener('abort', abort)

  return {
    signal,
    get isExpired() {
      return isExpired
    },
    start(timeoutMs) {
      clearTimeout(timer)
      timer = startTimer(() => {
        isExpired = true
        controller.abort()
      }, timeoutMs)
    },
    pause: () => clearTimeout(timer),
    clear() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', abort)
      controller.abort()
    },
    race(work) {
      return new Promise((resolve, reject) => {
        const stop = () => reject(signal.reason as Error)
        if (signal.aborted) stop()
        signal.addEventListener('abort', stop)
        work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
      })
    },
  }
}
