import type { Registry } from '@platformatic/prom-client'
import type { Observer } from '../../../http/replies/observe.ts'
import { addUp, byLabel, gauge, type Metric, textOf } from './metric.ts'
import { requestDurations } from './request-durations.ts'
import { tryCounts } from './webhook-metrics.ts'

export interface Metrics extends Pick<Observer, 'answered' | 'refused' | 'streamOpened' | 'streamEnded'> {
  /** A try to send something to a webhook has ended. */
  deliveryTried: ReturnType<typeof tryCounts>['add']
  /** This many tries succeeded. */
  deliveriesSucceeded(count: number): void
  /** Adds metrics that are read when they are asked for. A source never rejects, and takes at most a second. */
  watch(source: () => Promise<Metric[]>): void
  /** For this process or another one to add up and print. */
  snapshot(): Promise<MetricsSnapshot>
}

export interface MetricsSnapshot {
  metrics: Metric[]
  /** The metrics of the runtime, in prom-client's own form. */
  runtime: RuntimeMetric[]
}

type RuntimeMetric = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number]

const startedAt = Date.now() / 1_000 - process.uptime()

/** Counts from the start. The metrics of the runtime start with the first scrape, so that they cost nothing before. */
export function openMetrics(): Metrics {
  const durations = requestDurations()
  const tries = tryCounts()
  const unreadable = new Map<string, number>()
  const endedStreams = new Map<string, number>()
  const sources: (() => Promise<Metric[]>)[] = []
  let openStreams = 0
  let opening: Promise<Registry> | undefined

  async function openRegistry(): Promise<Registry> {
    const { collectDefaultMetrics, Registry } = await import('@platformatic/prom-client')
    const registry = new Registry()
    collectDefaultMetrics({ register: registry })
    return registry
  }

  function ownMetrics(): Metric[] {
    return [
      durations.metric(),
      byLabel(
        'counter',
        'petstore_http_unreadable_requests_total',
        'Requests that were refused before they were parsed.',
        'code',
        unreadable,
      ),
      ...gauge('petstore_event_streams', 'Event streams that are open.', openStreams),
      byLabel('counter', 'petstore_event_streams_ended_total', 'Event streams that ended.', 'reason', endedStreams),
      tries.metric(),
      ...gauge('process_start_time_seconds', 'When the oldest process started, in Unix time.', startedAt, 'min'),
    ]
  }

  return {
    answered(answer) {
      // The duration of a stream says nothing about the speed of the service.
      if (!answer.isStream) durations.observe(answer)
    },
    deliveryTried: tries.add,
    deliveriesSucceeded: tries.addDelivered,
    refused: ({ code }) => increment(unreadable, code),
    streamOpened: () => void openStreams++,
    streamEnded(reason) {
      openStreams--
      increment(endedStreams, reason)
    },
    watch: (source) => void sources.push(source),
    async snapshot() {
      const [registry, ...watched] = await Promise.all([
        (opening ??= openRegistry()),
        ...sources.map((source) => source()),
      ])
      return { metrics: [...ownMetrics(), ...watched.flat()], runtime: await registry.getMetricsAsJSON() }
    },
  }
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** What processes that have ended counted, as one snapshot: without it, the sums over all processes would fall. */
export async function countersOf(ended: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  const { AggregatorRegistry } = await import('@platformatic/prom-client')
  const metrics = addUp(ended.map((snapshot) => snapshot.metrics))
  const runtime = await AggregatorRegistry.aggregate(ended.map((snapshot) => snapshot.runtime)).getMetricsAsJSON()
  return { metrics: metrics.filter(isCounted), runtime: runtime.filter(isCounted) }
}

function isCounted({ type }: { type: unknown }): boolean {
  return type === 'counter' || type === 'histogram'
}

/** The metrics of one or more processes as text for Prometheus. */
export async function metricsText(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  const { AggregatorRegistry } = await import('@platformatic/prom-client')
  const runtime = await AggregatorRegistry.aggregate(snapshots.map((snapshot) => snapshot.runtime)).metrics()
  return `${runtime.trimEnd()}\n${textOf(snapshots.map(({ metrics }) => metrics))}`
}
