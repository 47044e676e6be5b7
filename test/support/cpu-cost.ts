import assert from 'node:assert/strict'

/** Some systems count CPU in steps of 4 ms. */
const minMeasuredUs = 25_000
/** Tries before a ratio counts as too high: a garbage collection may fall into one of them. */
const maxTries = 10

type Work = () => unknown

/**
 * Fails if `large` takes more than `maxRatio` times the CPU of `small` on this thread. It is the CPU that is compared, so
 * it does not matter what else the machine does.
 */
export async function assertCpuRatio({ small, large }: Record<'small' | 'large', Work>, maxRatio: number) {
  let times = 1
  while ((await cpuOf(small, times)) < minMeasuredUs) times *= 2
  await cpuOf(large, 1)
  let ratio = Infinity
  for (let tries = 0; ratio > maxRatio && tries < maxTries; tries++) {
    const smallUs = await cpuOf(small, times)
    ratio = (await cpuOf(large, times, 2 * maxRatio * smallUs)) / smallUs
  }
  assert.ok(ratio <= maxRatio, `takes ${ratio.toFixed(1)} times the CPU, or more; at most ${maxRatio} times is allowed`)
}

/** Fails if the CPU of `work` on this thread grows faster than its size. Quadratic work would take four times as much. */
export function assertLinear(size: number, work: (size: number) => unknown): Promise<void> {
  return assertCpuRatio({ small: () => work(size), large: () => work(2 * size) }, 3)
}

/** In microseconds. Ends early above `maxUs`. */
async function cpuOf(work: Work, times: number, maxUs = Infinity): Promise<number> {
  const before = process.threadCpuUsage()
  let usedUs = 0
  for (let count = 0; count < times && usedUs <= maxUs; count++) {
    await work()
    const { user, system } = process.threadCpuUsage(before)
    usedUs = user + system
  }
  return usedUs
}
