import type { Histogram } from '../../inventory/storage-stats.ts'

export function emptyHistogram(bounds: readonly number[]): Histogram {
  return { bounds, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 }
}

export function observe(histogram: Histogram, value: number): void {
  const { bounds, counts } = histogram
  let index = 0
  while (index < bounds.length && value > (bounds[index] as number)) index++
  ;(counts[index] as number)++
  histogram.sum += value
}
