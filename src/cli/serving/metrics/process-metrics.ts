import type { EdgeStats } from '../../../http/server/app-server.ts'
import type { SessionStats, StorageStats } from '../../../inventory/storage-stats.ts'
import { byLabel, gauge, type Metric } from './metric.ts'
import { withTimeout } from '../timeout.ts'

/** What the HTTP edge of a process does. */
export async function edgeMetrics({ connections, caches, streamLagEvents, budget }: EdgeStats): Promise<Metric[]> {
  const lag = await withTimeout(streamLagEvents(), 500).catch(() => undefined)
  const found = caches.map(({ name, hits }) => [name, hits] as const)
  const notFound = caches.map(({ name, misses }) => [name, misses] as const)
  return [
    ...gauge('petstore_http_connections', 'HTTP connections that are open.', connections),
    byLabel('counter', 'petstore_cache_hits_total', 'Times something was found in a cache.', 'cache', found),
    byLabel('counter', 'petstore_cache_misses_total', 'Times something was not in a cache.', 'cache', notFound),
    ...gauge(
      'petstore_event_stream_lag_events',
      'Events that the slowest open event stream has not been sent.',
      lag,
      'max',
    ),
    ...gauge('petstore_client_memory_bytes', 'Memory that is reserved for large requests and responses.', budget.bytes),
    ...gauge('petstore_client_memory_waiting', 'Requests that wait for such memory.', budget.waiting),
    {
      name: 'petstore_client_memory_refused_total',
      help: 'Requests that were refused because there was no such memory.',
      type: 'counter',
      values: [['', budget.refused]],
    },
  ]
}

/** What a process does with its storage. */
export async function storageMetrics(stats: StorageStats): Promise<Metric[]> {
  const { queued, stored, failed, unknown, refused, groupSizes, commitSeconds } = stats.writer
  const writes = Object.entries({ stored, failed, unknown, refused })
  return [
    ...gauge('petstore_write_queue_length', 'Writes that wait for their turn.', queued),
    byLabel(
      'counter',
      'petstore_writes_total',
      'Writes by outcome: stored; failed or refused, so not stored; unknown, so perhaps stored.',
      'outcome',
      writes,
    ),
    {
      name: 'petstore_write_group_size',
      help: 'Writes that were committed together.',
      type: 'histogram',
      values: [['', groupSizes]],
    },
    {
      name: 'petstore_commit_duration_seconds',
      help: 'Time to commit a group of writes.',
      type: 'histogram',
      values: [['', commitSeconds]],
    },
    ...serverMetrics(stats),
  ]
}

/** The connections to a database server. None if the engine has no server. */
function serverMetrics({ sessions, pendingReads, replica }: StorageStats): Metric[] {
  if (sessions.length === 0) return []
  return [
    ...sessionMetrics(sessions),
    ...gauge('petstore_postgres_pending_reads', 'Reads that wait for PostgreSQL.', pendingReads),
    ...gauge(
      'petstore_postgres_replica_read',
      '1 if lists are read from a replica, 0 if no replica can be read.',
      replica && Number(replica.isRead),
      'min',
    ),
    ...gauge(
      'petstore_postgres_replica_lag_seconds',
      'How far the slowest connected replica is behind the primary.',
      replica?.lagMs === undefined ? undefined : replica.lagMs / 1_000,
      'max',
    ),
  ]
}

export function sessionMetrics(sessions: readonly SessionStats[]): Metric[] {
  if (sessions.length === 0) return []
  return [
    {
      name: 'petstore_postgres_sessions',
      help: 'Connections of this service to PostgreSQL, by use.',
      type: 'gauge',
      values: sessions.flatMap(({ role, open, busy }) => [
        [`role="${role}",state="busy"`, busy],
        [`role="${role}",state="idle"`, open - busy],
      ]),
    },
  ]
}
