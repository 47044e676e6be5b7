import type { Clock } from '../../../inventory/clock.ts'
import { keyState, type KeyState } from '../../../inventory/keys.ts'
import type { Storage } from '../../../inventory/storage.ts'
import type { StorageSize } from '../../../inventory/storage-stats.ts'
import { version } from '../../shared/version.ts'
import { byLabel, gauge, type Metric } from './metric.ts'
import { withTimeout } from '../timeout.ts'

export interface ShopMetricsOptions {
  storage: Pick<Storage, 'check' | 'keys' | 'pets' | 'size'>
  clock: Clock
  engine: 'sqlite' | 'postgres'
}

/**
 * What all processes share: read by one of them, when it is asked for. What cannot be read within a second is left out,
 * so that the rest is seen during an outage.
 */
export async function shopMetrics({ storage, clock, engine }: ShopMetricsOptions): Promise<Metric[]> {
  const [ready, ...groups] = await Promise.all([
    orUndefined(storage.check().then(() => true)),
    orUndefined(stock(storage)),
    orUndefined(keysByState(storage, clock)),
    orUndefined(storage.size().then(sizes)),
  ])
  return [
    {
      name: 'petstore_build_info',
      help: 'Always 1; the labels say what runs.',
      type: 'gauge',
      values: [[`version="${version}",node="${process.versions.node}",engine="${engine}"`, 1]],
    },
    ...gauge(
      'petstore_ready',
      '1 if the service can read and write, as /readyz says; otherwise 0.',
      Number(ready ?? 0),
    ),
    ...groups.flatMap((group) => group ?? []),
  ]
}

async function orUndefined<Result>(work: Promise<Result>): Promise<Result | undefined> {
  return withTimeout(work).catch(() => undefined)
}

async function stock({ pets }: Pick<Storage, 'pets'>): Promise<Metric[]> {
  const { available, pending, sold, none } = await pets.inventory(1)
  const counts = Object.entries({ available, pending, sold, none }).map(([s, count]) => [s, Number(count)] as const)
  return [byLabel('gauge', 'petstore_pets', 'Animals in the shop, by status.', 'status', counts)]
}

async function keysByState({ keys }: Pick<Storage, 'keys'>, clock: Clock): Promise<Metric[]> {
  const counts: Record<KeyState, number> = { active: 0, expired: 0, revoked: 0 }
  const now = clock()
  for (const key of await keys.list()) counts[keyState(key, now)]++
  return [byLabel('gauge', 'petstore_api_keys', 'Stored API keys, by state.', 'state', Object.entries(counts))]
}

function sizes({ databaseBytes, walBytes, diskFreeBytes, diskBytes, serverSessions }: StorageSize): Metric[] {
  return [
    ...gauge('petstore_database_size_bytes', 'Size of the database.', databaseBytes),
    ...gauge('petstore_database_wal_size_bytes', 'Size of the write-ahead log of the database.', walBytes),
    ...gauge('petstore_disk_free_bytes', 'Free bytes on the disk of the database.', diskFreeBytes),
    ...gauge('petstore_disk_size_bytes', 'Size of the disk of the database.', diskBytes),
    ...gauge(
      'petstore_postgres_server_sessions',
      'Sessions of all clients of the PostgreSQL server.',
      serverSessions?.used,
    ),
    ...gauge(
      'petstore_postgres_server_sessions_waiting',
      'Sessions of the PostgreSQL server that wait for a lock.',
      serverSessions?.waiting,
    ),
    ...gauge(
      'petstore_postgres_server_sessions_max',
      'Sessions that the PostgreSQL server allows.',
      serverSessions?.max,
    ),
  ]
}
