/** Upper bounds of the buckets, in seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Counts per bucket, the last one for longer durations, and the sum of all durations. */
interface Series {
  counts: number[]
  sum: number
}

/** A snapshot that another process can add up. */
export type HistogramSnapshot = [labels: string, series: Series][]

/**
 * Request durations by labels, in the text format of Prometheus. Written by hand: a general label lookup costs more
 * than everything else for a cached list except writing it.
 */
export function durationHistogram() {
  const all = new Map<string, Series>()

  return {
    observe(labels: string, seconds: number): void {
      let series = all.get(labels)
      if (series === undefined) all.set(labels, (series = emptySeries()))
      let bucket = 0
      while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket++
      ;(series.counts[bucket] as number)++
      series.sum += seconds
    },
    snapshot: (): HistogramSnapshot => [...all],
  }
}

/** The text of the sum of one or more snapshots. */
export function histogramText(name: string, help: string, snapshots: readonly HistogramSnapshot[]): string {
  const total = new Map<string, Series>()
  for (const [labels, { counts, sum }] of snapshots.flat()) {
    const series = total.get(labels) ?? emptySeries()
    total.set(labels, {
      counts: series.counts.map((count, index) => count + (counts[index] ?? 0)),
      sum: series.sum + sum,
    })
  }
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`]
  for (const [labels, { counts, sum }] of total) {
    let below = 0
    counts.forEach((count, index) => {
      below += count
      lines.push(`${name}_bucket{le="${bounds[index] ?? '+Inf'}",${labels}} ${below}`)
    })
    lines.push(`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${below}`)
  }
  return `${lines.join('\n')}\n`
}

function emptySeries(): Series {
  return { counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 }
}
