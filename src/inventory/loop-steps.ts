/**
 * How long work may hold the event loop before others are served. What cannot be divided, such as encoding one name,
 * may add some milliseconds: together less than 20.
 */
const maxStepMs = 5

/** Divides work on the event loop by time, whatever its rows contain. */
export interface LoopSteps {
  /** Whether the step has lasted long enough. */
  isOver(): boolean
  /** Ends the step. Resolves when the next one may begin. */
  next(): Promise<void>
}

/**
 * Begins the first step. Every loop over rows, or over data of a client's size, ends its steps like this:
 * `if (steps.isOver()) await steps.next()`.
 */
export function loopSteps(): LoopSteps {
  let endsAt = performance.now() + maxStepMs
  return {
    isOver: () => performance.now() >= endsAt,
    async next() {
      await nextLoopTick()
      endsAt = performance.now() + maxStepMs
    },
  }
}

const waiting: (() => void)[] = []

/** Resolves in a later tick of the event loop, for one caller in each tick: many long works delay others no more than one. */
export function nextLoopTick(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(runNext)
  })
}

function runNext(): void {
  waiting[0]?.()
  waiting.shift()
  if (waiting.length > 0) setImmediate(runNext)
}
