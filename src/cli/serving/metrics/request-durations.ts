import type { Answered } from '../../../http/replies/observe.ts'
import { type Histogram, emptyHistogram, observe } from '../../../inventory/storage-stats.ts'
import type { Metric } from './metric.ts'

/** In seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/**
 * Request durations by route, method and status. Written by hand: a general label lookup costs more than everything
 * else for a cached list except writing it, and a text of all labels, made for each request, still a microsecond.
 */
export function requestDurations() {
  const routes = new Map<string, Map<string, Map<number, Histogram>>>()

  return {
    observe({ route = 'none', method, status, milliseconds }: Answered): void {
      let methods = routes.get(route)
      if (methods === undefined) routes.set(route, (methods = new Map()))
      let statuses = methods.get(method)
      if (statuses === undefined) methods.set(method, (statuses = new Map()))
      let durations = statuses.get(status)
      if (durations === undefined) statuses.set(status, (durations = emptyHistogram(bounds)))
      observe(durations, milliseconds / 1000)
    },
    metric: (): Metric => ({
      name: 'petstore_http_request_duration_seconds',
      help: 'Time from a request to its response.',
      type: 'histogram',
      values: [...routes].flatMap(([route, methods]) =>
        [...methods].flatMap(([method, statuses]) =>
          [...statuses].map(([status, durations]): [string, Histogram] => [
            `method="${method}",route="${route}",status="${status}"`,
            durations,
          ]),
        ),
      ),
    }),
  }
}
