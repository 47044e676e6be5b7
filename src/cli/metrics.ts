import { createServer } from 'node:http'
import { AggregatorRegistry, collectDefaultMetrics, Counter, Histogram, Registry } from '@platformatic/prom-client'
import type { Answered, Observer } from '../http/observe.ts'
import { listening } from './listening.ts'

export interface Metrics extends Pick<Observer, 'answered' | 'refused'> {
  text(): Promise<string>
  /** For another process to add up. */
  snapshot(): Promise<MetricsSnapshot>
}

export type MetricsSnapshot = object[]

/** The metrics of several processes as one text. */
export function aggregate(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate([...snapshots]).metrics()
}

export function openMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'petstore_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const unreadable = new Counter({
    name: 'petstore_http_unreadable_requests_total',
    help: 'Requests that were refused before they could be read.',
    labelNames: ['code'],
    registers: [registry],
  })

  return {
    answered({ method, route, status, milliseconds }: Answered) {
      durations.observe({ method, route: route ?? 'none', status }, milliseconds / 1000)
    },
    refused({ code }) {
      unreadable.inc({ code })
    },
    text: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
  }
}

/** Metrics on a port of their own, which is not meant to be public and asks for no key. */
export async function serveMetrics(
  text: () => Promise<string>,
  host: string,
  port: number,
): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(await text())
  })
  const address = await listening(server, host, port, 'PETSTORE_METRICS_PORT')
  return { url: `${address}/metrics`, close: () => void server.close() }
}
