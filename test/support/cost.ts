/** The characters of a short and a long input: far more than the service accepts, so that a square shows. */
const shortLength = 16_384
const longLength = 2 * shortLength

/** In microseconds of CPU. Far above what the system's clock may be wrong by: up to ten milliseconds on some. */
const negligible = 100_000
const measurements = 3

/** Pieces that are repeated. Each made some pattern or loop somewhere start anew at every character. */
const characters = 'aZ0 \t"\'\\,;=.:/-_%+&*[{#é🐶ﷺ\u0301\r\n'
const groups =
  '\\"|""|", "|"a",|a=|a=&|a=b;|;a="|;a="\\"|, | ,| ;|W/"|W/|a b |q=0.5,|%41|%zz|%e2|/a|../|::|1.|0:|\u0301\u0323|\r\n'
const pieces = [...Array.from(characters), ...groups.split('|')]
const ends = ['', 'x', '"', '\\']

export interface Cost {
  input: string
  short: number
  long: number
}

/**
 * The first input whose cost grows faster than its length, undefined if there is none. `starts` are texts that lead a
 * parser into its later parts. Every input is parsed once; only if that took long is it measured again, together with
 * one of half the length. CPU time of this thread alone counts, so other work on the machine makes no difference.
 */
export async function steepCost(
  parse: (text: string) => unknown,
  starts: readonly string[] = [],
): Promise<Cost | undefined> {
  for (const start of ['', ...starts]) {
    for (const piece of pieces) {
      for (const end of ends) {
        const inputOf = (length: number) => start + piece.repeat(length / piece.length) + end
        const first = await cpuOf(parse, inputOf(longLength))
        if (first < negligible) continue
        const short = await leastCpuOf(parse, inputOf(shortLength))
        const long = await leastCpuOf(parse, inputOf(longLength))
        // Twice the length may take twice as long; a square takes four times as long.
        if (long > negligible && long > 3 * short) {
          return { input: `${JSON.stringify(start)} ${JSON.stringify(piece)} … ${JSON.stringify(end)}`, short, long }
        }
      }
    }
  }
  return undefined
}

async function leastCpuOf(parse: (text: string) => unknown, text: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let count = 0; count < measurements; count++) least = Math.min(least, await cpuOf(parse, text))
  return least
}

/** A refusal is a result, too. */
async function cpuOf(parse: (text: string) => unknown, text: string): Promise<number> {
  const before = process.threadCpuUsage()
  try {
    await parse(text)
  } catch {}
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}
