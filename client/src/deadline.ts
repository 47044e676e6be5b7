/** What a request is held by: it is dropped when its time is up or when the caller aborts, and the two are told apart. */
export interface Deadline {
  readonly signal: AbortSignal
  readonly isTimeUp: boolean
  /** From now on it has this many milliseconds. */
  start(milliseconds: number): void
  /** Time does not count until it is allowed some more. */
  pause(): void
  /** Drops the request if it still runs, and lets go of the caller's signal. */
  clear(): void
}

/** A timer that is set for longer goes off at once. */
const longest = 2 ** 31 - 1

export function deadline(caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isTimeUp = false
  const abort = () => controller.abort(caller?.reason)
  if (caller?.aborted === true) abort()
  caller?.addEventListener('abort', abort)

  return {
    signal: controller.signal,
    get isTimeUp() {
      return isTimeUp
    },
    start(milliseconds) {
      clearTimeout(timer)
      timer = setTimeout(
        () => {
          isTimeUp = true
          controller.abort()
        },
        Math.min(milliseconds, longest),
      )
    },
    pause: () => clearTimeout(timer),
    clear() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', abort)
      controller.abort()
    },
  }
}
