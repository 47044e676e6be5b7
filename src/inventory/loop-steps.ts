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
/** How long steps wait while connections arrive in every tick. */
const maxYieldMs = 20
let arrivals = 0
let seenArrivals = 0
let yieldUntil = 0

/**
 * Says that a connection has arrived. A tick of the event loop accepts only one: if each had a step of long work, too,
 * a thousand clients would wait for five seconds before they are heard.
 */
export function noteArrival(): void {
  arrivals++
}

/** How many have arrived so far. */
export const arrivalCount = (): number => arrivals

/** Resolves in a later tick of the event loop, for one caller in each tick: many long works delay others no more than one. */
export function nextLoopTick(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(runNext)
  })
}

function runNext(): void {
  const now = performance.now()
  const mustYield = arrivals !== seenArrivals && now < yieldUntil
  seenArrivals = arrivals
  if (!mustYield) {
    yieldUntil = now + maxStepMs + maxYieldMs
    waiting[0]?.()
    waiting.shift()
  }
  if (waiting.length > 0) setImmediate(runNext)
}
