import type { Histogram } from '../../../inventory/storage-stats.ts'
import { emptyHistogram, observe } from '../../../storage/shared/histogram.ts'
import type { Metric } from './metric.ts'

/** In seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/**
 * Request durations by labels. Written by hand: a general label lookup costs more than everything else for a cached
 * list except writing it.
 */
export function requestDurations() {
  const all = new Map<string, Histogram>()

  return {
    observe(labels: string, seconds: number): void {
      let durations = all.get(labels)
      if (durations === undefined) all.set(labels, (durations = emptyHistogram(bounds)))
      observe(durations, seconds)
    },
    metric: (): Metric => ({
      name: 'petstore_http_request_duration_seconds',
      help: 'Time from a request to its response.',
      type: 'histogram',
      values: [...all],
    }),
  }
}
