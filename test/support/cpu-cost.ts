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
export async function assertCpuRatio({ small, large }: Record<'small' | 'large', Work>, maxRatio: number, name = '') {
  let times = 1
  while ((await cpuOf(small, times)) < minMeasuredUs) times *= 2
  await cpuOf(large, 1)
  let ratio = Infinity
  for (let tries = 0; ratio > maxRatio && tries < maxTries; tries++) {
    const smallUs = await cpuOf(small, times)
    ratio = (await cpuOf(large, times, 2 * maxRatio * smallUs)) / smallUs
  }
  assert.ok(
    ratio <= maxRatio,
    `${name}takes ${ratio.toFixed(1)} times the CPU, or more; at most ${maxRatio} times is allowed`,
  )
}

/**
 * Fails if the CPU of `work` on this thread grows much faster than its size. Linear work takes 8 times as much for the large
 * size, quadratic work 64 times. The limit is far from both: a large size may leave a cache or start a collection of garbage,
 * which costs it up to twice as much on some machines.
 */
export function assertLinear(largeSize: number, work: (size: number) => unknown, name = ''): Promise<void> {
  return assertCpuRatio({ small: () => work(largeSize / 8), large: () => work(largeSize) }, 24, name)
}

/** The same for work that takes next to no CPU: it is done once, and measured only if that took long. */
export async function assertShortOrLinear(largeSize: number, work: (size: number) => unknown, name = '') {
  if ((await cpuOf(() => work(largeSize), 1)) >= negligibleUs) await assertLinear(largeSize, work, name)
}

/** In characters. Far more than the service accepts, so that a square shows. */
const longLength = 32_768
/** In microseconds of CPU. Far above what the system's clock may be wrong by: up to ten milliseconds on some. */
const negligibleUs = 100_000

/** Pieces that are repeated. Each made some pattern or loop somewhere start anew at every character. */
const characters = 'aZ0 \t"\'\\,;=.:/-_%+&*[{#é🐶ﷺ\u0301\r\n'
const groups =
  '\\"|""|", "|"a",|a=|a=&|a=b;|;a="|;a="\\"|, | ,| ;|W/"|W/|a b |q=0.5,|%41|%zz|%e2|/a|../|::|1.|0:|\u0301\u0323|\r\n'
const pieces = [...Array.from(characters), ...groups.split('|')]
const ends = ['', 'x', '"', '\\']

/**
 * Fails if reading some input costs more than its length explains. `starts` are texts that lead a parser into its later
 * parts. A refusal is a result, too.
 */
export async function assertLinearParser(parse: (text: string) => unknown, starts: readonly string[] = []) {
  for (const start of ['', ...starts]) {
    for (const piece of pieces) {
      for (const end of ends) {
        const run = async (length: number) => {
          try {
            await parse(start + piece.repeat(length / piece.length) + end)
          } catch {}
        }
        const input = [start, piece, end].map((text) => JSON.stringify(text)).join(' ')
        await assertShortOrLinear(longLength, run, `reading ${input} `)
      }
    }
  }
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
