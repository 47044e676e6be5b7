import { setTimeout as wait } from 'node:timers/promises'

/** For work that nobody waits for: it leaves the event loop to everybody else. */
export interface SpareTime {
  /** Resolves, for one caller after the other, when there is time for a piece of work. */
  turn(): Promise<void>
  /** Does a piece of work, and counts how long it holds the event loop. */
  use<Result>(work: () => Result): Result
}

/** After so much work there is a pause. */
const stepMs = 2
/** A pause ends at the latest when it was so many times as long as the work before it. */
const maxPauseShare = 19
/** An event loop that waits so long for something to happen has nothing else to do. */
const idleMs = 0.2

/**
 * Between two steps the event loop serves others until it has nothing to do. If that does not happen, the work goes on
 * all the same, with a twentieth of the time. There is no pause in a thread that serves nobody else.
 */
export function spareTime(hasOwnThread = false): SpareTime {
  let line = Promise.resolve()
  let usedMs = 0

  async function pauseIfNeeded(): Promise<void> {
    if (hasOwnThread || usedMs < stepMs) return
    const latest = performance.now() + usedMs * maxPauseShare
    usedMs = 0
    for (let isIdle = false; !isIdle && performance.now() < latest; ) {
      const { idle } = performance.eventLoopUtilization()
      await wait(1)
      isIdle = performance.eventLoopUtilization().idle - idle >= idleMs
    }
  }

  return {
    turn: () => (line = line.then(pauseIfNeeded)),
    use(work) {
      const startedAt = performance.now()
      try {
        return work()
      } finally {
        usedMs += performance.now() - startedAt
      }
    },
  }
}
