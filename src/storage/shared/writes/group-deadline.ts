import type { QueuedWrite } from './write-queue.ts'

export interface GroupDeadlineOptions<Request> {
  /** How long a write waits for its result. Default: for ever. */
  timeoutMs?: number | undefined
  /** Whether a write may take longer than `timeoutMs`, as an import does. */
  mayExceedTimeout?: (request: Request) => boolean
}

/** The deadline of the group that is being committed. Its writes have waited longer than those in the queue. */
export function groupDeadline<Request>(
  { timeoutMs = Infinity, mayExceedTimeout = () => false }: GroupDeadlineOptions<Request>,
  passed: (cause: Error) => void,
) {
  let timer: NodeJS.Timeout | undefined
  let last: NodeJS.Immediate | undefined
  let hasPassed = false
  const applies = (request: Request): boolean => !mayExceedTimeout(request)

  function pass(): void {
    hasPassed = true
    passed(new Error(`Nothing can be written: a write did not finish within ${timeoutMs} ms.`))
  }

  return {
    /** Whether the write has a deadline. */
    applies,
    /** Whether it has passed for a group that is still being committed. */
    hasPassed: () => hasPassed,
    /** Whether it has passed for this write, which then has its result. */
    hasPassedFor: (request: Request): boolean => hasPassed && applies(request),

    start(group: readonly QueuedWrite<Request, never>[]): void {
      if (timeoutMs === Infinity) return
      const now = performance.now()
      const waitedMs = now - (group.find(({ request }) => applies(request))?.arrivedAt ?? now)
      // If the process stood still, the result may have arrived meanwhile: timers come first, then what was received.
      timer = setTimeout(() => (last = setImmediate(pass)), Math.max(timeoutMs - waitedMs, 1))
    },

    /** The group has its results. */
    end(): void {
      clearTimeout(timer)
      clearImmediate(last)
      hasPassed = false
    },
  }
}
