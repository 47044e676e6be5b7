import type { ServerResponse } from 'node:http'
import type { Registry } from '@platformatic/prom-client'
import { http } from '../../http/server/node-http.ts'
import { errorResponse } from '../../http/replies/errors.ts'
import type { Answered, Observer } from '../../http/replies/observe.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { durationHistogram, type HistogramSnapshot, histogramText } from './duration-histogram.ts'
import { listening } from './listening.ts'

export interface Metrics extends Pick<Observer, 'answered' | 'refused' | 'streamOpened' | 'streamEnded'> {
  /** For this process or another one to sum and print. */
  snapshot(): Promise<MetricsSnapshot>
}

export interface MetricsSnapshot {
  durations: HistogramSnapshot
  /** The metrics of prom-client, in its own form. */
  others: object[]
}

/** Counts from the start. The metrics of prom-client start with the first scrape, so that they cost nothing before. */
export function openMetrics(): Metrics {
  const durations = durationHistogram()
  const unreadable = new Map<string, number>()
  const endedStreams = new Map<string, number>()
  let openStreams = 0
  let opening: Promise<Registry> | undefined

  async function openRegistry(): Promise<Registry> {
    const { collectDefaultMetrics, Counter, Gauge, Registry } = await import('@platformatic/prom-client')
    const registry = new Registry()
    collectDefaultMetrics({ register: registry })
    function count(name: string, help: string, label: string, times: ReadonlyMap<string, number>): void {
      const counter = new Counter({
        name,
        help,
        labelNames: [label],
        registers: [],
        collect() {
          this.reset()
          for (const [value, count] of times) this.inc({ [label]: value }, count)
        },
      })
      registry.registerMetric(counter)
    }
    count(
      'petstore_http_unreadable_requests_total',
      'Requests that were refused before they were parsed.',
      'code',
      unreadable,
    )
    count('petstore_event_streams_ended_total', 'Event streams that ended.', 'reason', endedStreams)
    const open = new Gauge({
      name: 'petstore_event_streams',
      help: 'Event streams that are open.',
      registers: [],
      collect() {
        this.set(openStreams)
      },
    })
    registry.registerMetric(open)
    return registry
  }

  return {
    answered({ method, route = 'none', status, milliseconds, isStream }: Answered) {
      // The duration of a stream says nothing about the speed of the service.
      if (isStream) return
      durations.observe(`method="${method}",route="${route}",status="${status}"`, milliseconds / 1000)
    },
    refused: ({ code }) => increment(unreadable, code),
    streamOpened: () => void openStreams++,
    streamEnded(reason) {
      openStreams--
      increment(endedStreams, reason)
    },
    async snapshot() {
      const registry = await (opening ??= openRegistry())
      return { durations: durations.snapshot(), others: await registry.getMetricsAsJSON() }
    },
  }
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** The metrics of one or more processes as text for Prometheus. */
export async function metricsText(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  const { AggregatorRegistry } = await import('@platformatic/prom-client')
  const others = await AggregatorRegistry.aggregate(snapshots.map((snapshot) => snapshot.others)).metrics()
  const durations = histogramText(
    'petstore_http_request_duration_seconds',
    'Time from a request to its response.',
    snapshots.map((snapshot) => snapshot.durations),
  )
  return `${others.trimEnd()}\n${durations}`
}

/** Metrics on their own port, without a key: on the loopback address by default. */
export async function serveMetrics(
  text: () => Promise<string>,
  host: string,
  port: number,
): Promise<{ url: string; close(): void }> {
  const server = http.createServer(async (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    if (request.method !== 'GET' || request.url !== '/metrics') {
      return refuse(response, new PetStoreError('not_found', 'This port serves only GET /metrics.'))
    }
    const body = await text().catch(() => undefined)
    if (body === undefined) return refuse(response, new PetStoreError('internal', 'The metrics cannot be read.'))
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body)
  })
  const address = await listening(server, { host, port, settings: 'PETSTORE_METRICS' })
  return { url: `${address}/metrics`, close: () => void server.close() }
}

function refuse(response: ServerResponse, error: PetStoreError): void {
  const { status, headers, body } = errorResponse(error)
  response.writeHead(status, headers).end(body)
}
