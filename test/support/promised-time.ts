import assert from 'node:assert/strict'

/**
 * How many times longer something may take beside many busy processes. What is broken waits for a longer timeout, or
 * for ever.
 */
const busyFactor = 4

/** Fails if more time has passed since `startMs` than was promised for a machine that has time. */
export function assertPassed(promisedMs: number, startMs: number): void {
  const elapsedMs = Math.round(performance.now() - startMs)
  assert.ok(elapsedMs < promisedMs * busyFactor, `it took ${elapsedMs} ms instead of ${promisedMs}`)
}

/** Fails if the work takes longer than was promised for a machine that has time. */
export async function assertWithin(promisedMs: number, work: Promise<unknown>): Promise<void> {
  const startMs = performance.now()
  await work
  assertPassed(promisedMs, startMs)
}
