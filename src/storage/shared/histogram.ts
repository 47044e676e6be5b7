import type { Histogram } from '../../inventory/storage-stats.ts'

export function emptyHistogram(bounds: readonly number[]): Histogram {
  return { bounds, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 }
}

export function observe(histogram: Histogram, value: number): void {
  const { bounds, counts } = histogram
  let place = 0
  while (place < bounds.length && value > (bounds[place] as number)) place++
  ;(counts[place] as number)++
  histogram.sum += value
}
