import assert from 'node:assert/strict'

/**
 * How many times longer something may take beside many busy processes. What is broken waits for a longer timeout, or
 * for ever.
 */
const busyFactor = 4

/** When this process stood still, and for how long: the system ran others. */
const stalls: { endMs: number; lostMs: number }[] = []
const tickMs = 20
let tickedMs = performance.now()
setInterval(tick, tickMs).unref()

function tick(): void {
  const endMs = performance.now()
  const lostMs = endMs - tickedMs - tickMs
  if (lostMs > tickMs) stalls.push({ endMs, lostMs })
  tickedMs = endMs
}

function stallsSince(startMs: number): number[] {
  tick()
  return stalls.filter(({ endMs }) => endMs > startMs).map(({ lostMs }) => lostMs)
}

/** Fails if more time has passed since `startMs` than was promised for a machine that has time. */
export function assertPassed(promisedMs: number, startMs: number): void {
  const lostMs = stallsSince(startMs).reduce((sum, ms) => sum + ms, 0)
  const elapsedMs = Math.round(performance.now() - startMs - lostMs)
  assert.ok(elapsedMs < promisedMs * busyFactor, `it took ${elapsedMs} ms instead of ${promisedMs}`)
}

/** Fails if the work takes longer than was promised for a machine that has time. */
export async function assertWithin(promisedMs: number, work: Promise<unknown>): Promise<void> {
  const startMs = performance.now()
  await work
  assertPassed(promisedMs, startMs)
}

/**
 * Runs a test whose limits are short. If it fails and this process stood still for `maxStallMs` meanwhile, the limits
 * were over before anything could happen: it is run again.
 */
export async function unlessStalled(maxStallMs: number, run: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    const startMs = performance.now()
    try {
      return await run()
    } catch (error) {
      if (tries === 10 || Math.max(0, ...stallsSince(startMs)) < maxStallMs) throw error
    }
  }
}
