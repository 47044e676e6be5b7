/** A longer timer fires at once. */
const maxTimerMs = 2 ** 31 - 1

/** Aborts a request when its timeout expires or the caller aborts, and tells the two apart. */
export interface Deadline {
  readonly signal: AbortSignal
  readonly isExpired: boolean
  /** Starts the timeout, of at most 24.8 days. */
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
  caller?.throwIfAborted()
  const controller = new AbortController()
  const { signal } = controller
  let timer: ReturnType<typeof setTimeout> | undefined
  const abort = () => controller.abort(caller?.reason)
  caller?.addEventListener('abort', abort)

  const deadline = {
    signal,
    isExpired: false,
    start(timeoutMs: number) {
      clearTimeout(timer)
      timer = setTimeout(
        () => {
          deadline.isExpired = true
          controller.abort()
        },
        Math.min(timeoutMs, maxTimerMs),
      )
    },
    pause: () => clearTimeout(timer),
    clear() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', abort)
      controller.abort()
    },
    race<Result>(work: Promise<Result>) {
      return new Promise<Result>((resolve, reject) => {
        const stop = () => reject(signal.reason as Error)
        if (signal.aborted) stop()
        signal.addEventListener('abort', stop)
        work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
      })
    },
  }
  return deadline
}

/** Resolves after the delay, or rejects with the reason of the caller's signal. */
export async function pause(delayMs: number, caller: AbortSignal | null | undefined): Promise<void> {
  const deadline = createDeadline(caller)
  deadline.start(delayMs)
  await new Promise((resolve) => deadline.signal.addEventListener('abort', resolve))
  deadline.clear()
  caller?.throwIfAborted()
}
