/** One measurement of one server. Times in milliseconds, CPU in microseconds. */
export interface Sample {
  perSecond: number
  p50: number
  p99: number
  /** CPU of the server for one request of any stream, in all its threads and processes. */
  cpu: number
  /** The part of it that the event loop of the first process has used. */
  loopCpu: number
  /** CPU for one request of the database server that all share. */
  databaseCpu: number
  loadShare: number
  /** Answers of all streams. */
  answered: number
  /** Rate and p99 of the second stream, 0 where there is none. */
  besidePerSecond: number
  besideP99: number
  /** How late events came to webhooks: their p99, Infinity where none came. */
  behindP99: number
  /** The p50 of the slowest stream. */
  slowest: number
}

/**
 * The quartile on the better side, number by number: what else runs on the machine, or on the same core of another
 * guest, only makes a request slower and dearer.
 */
export function leastDisturbed(samples: readonly Sample[]): Sample {
  return eachNumber(samples, (numbers, isBetterHigher) => {
    const bestFirst = numbers.toSorted((a, b) => (isBetterHigher ? b - a : a - b))
    return bestFirst[(numbers.length - 1) >> 2] as number
  })
}

/** The sample in the middle, number by number. */
export function median(samples: readonly Sample[]): Sample {
  return eachNumber(samples, medianOf)
}

function eachNumber(
  samples: readonly Sample[],
  choose: (numbers: readonly number[], isBetterHigher: boolean) => number,
): Sample {
  const chosen = (field: keyof Sample, isBetterHigher = false) =>
    choose(
      samples.map((sample) => sample[field]),
      isBetterHigher,
    )
  return {
    perSecond: chosen('perSecond', true),
    p50: chosen('p50'),
    p99: chosen('p99'),
    cpu: chosen('cpu'),
    databaseCpu: chosen('databaseCpu'),
    loopCpu: chosen('loopCpu'),
    loadShare: chosen('loadShare', true),
    answered: chosen('answered', true),
    besidePerSecond: chosen('besidePerSecond', true),
    besideP99: chosen('besideP99'),
    behindP99: chosen('behindP99'),
    slowest: chosen('slowest'),
  }
}

export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[half] as number)
    : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2
}
