/** A longer timer fires at once. */
const maxTimerMs = 2 ** 31 - 1

/** Fires after at most 24.8 days. */
export function startTimer(callback: () => void, delayMs: number): ReturnType<typeof setTimeout> {
  return setTimeout(callback, Math.min(delayMs, maxTimerMs))
}

/** Resolves after the delay, or rejects with the reason of the signal. */
export function pause(delayMs: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = startTimer(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, delayMs)
    signal?.addEventListener('abort', stop, { once: true })
    function stop(): void {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
  })
}
