import type { Histogram } from '../../../inventory/storage-stats.ts'

/** A metric of a process, for this process or another one to add up and print. */
export interface Metric {
  name: string
  /** One sentence. */
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** By labels, such as `status="sold"`; the empty text without labels. */
  values: [labels: string, value: number | Histogram][]
  /** How the values of several processes become one. Default: their sum. */
  combine?: 'max' | 'min'
}

export function gauge(name: string, help: string, value: number | undefined, combine?: 'max' | 'min'): Metric[] {
  if (value === undefined) return []
  return [{ name, help, type: 'gauge', values: [['', value]], ...(combine && { combine }) }]
}

/** A metric with a value for each entry of `values`, by one label. */
export function byLabel(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  label: string,
  values: Iterable<readonly [value: string, count: number]>,
): Metric {
  return { name, help, type, values: Array.from(values, ([value, count]) => [`${label}="${value}"`, count]) }
}

/** The metrics of one or more processes in the text format of Prometheus. */
export function textOf(processes: readonly (readonly Metric[])[]): string {
  return addUp(processes)
    .map((metric) => `${linesOf(metric).join('\n')}\n`)
    .join('')
}

/** The metrics of several processes as those of one. */
export function addUp(processes: readonly (readonly Metric[])[]): Metric[] {
  const combined = new Map<string, Metric>()
  for (const metric of processes.flat()) {
    const other = combined.get(metric.name)
    combined.set(metric.name, other === undefined ? metric : combine(other, metric))
  }
  return [...combined.values()]
}

function combine(one: Metric, other: Metric): Metric {
  const values = new Map(one.values)
  for (const [labels, value] of other.values) {
    const before = values.get(labels)
    values.set(labels, before === undefined ? value : combineValues(before, value, one.combine))
  }
  return { ...one, values: [...values] }
}

function combineValues(one: number | Histogram, other: number | Histogram, how: Metric['combine']): number | Histogram {
  if (typeof one === 'number' || typeof other === 'number') {
    return how === undefined ? Number(one) + Number(other) : Math[how](Number(one), Number(other))
  }
  const counts = one.counts.map((count, index) => count + (other.counts[index] ?? 0))
  return { bounds: one.bounds, counts, sum: one.sum + other.sum }
}

function linesOf({ name, help, type, values }: Metric): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...values.flatMap(([labels, value]) =>
      typeof value === 'number' ? [`${name}${inBraces(labels)} ${value}`] : histogramLines(name, labels, value),
    ),
  ]
}

function histogramLines(name: string, labels: string, { bounds, counts, sum }: Histogram): string[] {
  const rest = labels === '' ? '' : `,${labels}`
  let below = 0
  const buckets = counts.map((count, index) => {
    below += count
    return `${name}_bucket{le="${bounds[index] ?? '+Inf'}"${rest}} ${below}`
  })
  return [...buckets, `${name}_sum${inBraces(labels)} ${sum}`, `${name}_count${inBraces(labels)} ${below}`]
}

function inBraces(labels: string): string {
  return labels === '' ? '' : `{${labels}}`
}
