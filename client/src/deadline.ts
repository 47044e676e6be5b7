import { startTimer } from './timer.ts'

/** Aborts a request when its time is up or when the caller aborts, and tells the two apart. */
export interface Deadline {
  readonly signal: AbortSignal
  readonly isExpired: boolean
  /** The request has this long from now on. */
  start(timeoutMs: number): void
  /** Stops the clock until `start` is called again. */
  pause(): void
  /** Aborts the request if it still runs, and lets go of the caller's signal. */
  clear(): void
  /** Settles as `work` does, or rejects once the signal aborts: a `fetch` of the caller's may ignore its signal. */
  race<Result>(work: Promise<Result>): Promise<Result>
}

/**
 * By hand, because `AbortSignal.timeout` can be neither paused nor cancelled, and `AbortSignal.any` keeps a signal for
 * each finished request in memory until the caller's own is gone (Node, Deno).
 */
export function createDeadline(caller: AbortSignal | undefined): Deadline {
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
