import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openByteBudget } from '../../src/inventory/byte-budget.ts'
import { eventFeed } from '../../src/http/events/event-feed.ts'
import { unavailable } from '../../src/inventory/errors.ts'
import { countersOf, metricsText, openMetrics } from '../../src/cli/serving/metrics/collector.ts'
import { gauge, type Metric, textOf } from '../../src/cli/serving/metrics/metric.ts'
import { edgeMetrics, storageMetrics } from '../../src/cli/serving/metrics/process-metrics.ts'
import { shopMetrics } from '../../src/cli/serving/metrics/shop-metrics.ts'
import { postgres, sqlite } from '../support/engines.ts'
import { startService } from '../support/service.ts'
import { completeMetrics } from '../support/metrics.ts'

const counter: Metric = { name: 'eggs_total', help: 'Eggs.', type: 'counter', values: [['nest="a"', 2]] }
const clock = () => 1_000

test('metrics: values of several processes are added up, unless the metric says otherwise', () => {
  const high: Metric = { name: 'high', help: 'High.', type: 'gauge', values: [['', 3]], combine: 'max' }
  const other: Metric = {
    ...counter,
    values: [
      ['nest="a"', 1],
      ['nest="b"', 5],
    ],
  }

  const text = textOf([
    [counter, high],
    [other, { ...high, values: [['', 1]] }],
  ])

  assert.equal(
    text,
    '# HELP eggs_total Eggs.\n# TYPE eggs_total counter\neggs_total{nest="a"} 3\neggs_total{nest="b"} 5\n' +
      '# HELP high High.\n# TYPE high gauge\nhigh 3\n',
  )
})

test('metrics: buckets of a histogram are cumulative, and histograms of several processes are added up', () => {
  const sizes: Metric = {
    name: 'sizes',
    help: 'Sizes.',
    type: 'histogram',
    values: [['', { bounds: [1, 2], counts: [1, 0, 2], sum: 9 }]],
  }

  const lines = textOf([[sizes], [sizes]]).split('\n')

  assert.deepEqual(lines.slice(2, -1), [
    'sizes_bucket{le="1"} 2',
    'sizes_bucket{le="2"} 2',
    'sizes_bucket{le="+Inf"} 6',
    'sizes_sum 18',
    'sizes_count 6',
  ])
})

test('metrics: of processes that have ended, counters and histograms are added up, and gauges dropped', async () => {
  const process = openMetrics()
  process.watch(async () => [counter, ...gauge('high', 'High.', 3)])
  const snapshot = await process.snapshot()

  const ended = await countersOf([await countersOf([snapshot]), snapshot])

  const text = await metricsText([ended])
  assert.match(text, /^eggs_total\{nest="a"\} 4$/m)
  assert.match(text, /^process_cpu_seconds_total \d/m)
  assert.doesNotMatch(text, /gauge/)
})

test('metrics of a real service follow the conventions of Prometheus', async (t) => {
  const service = await startService(t)
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Rex', categoryId: 1, status: 'sold' })
  await fetch(`${service.origin}/v1/pets`, { method: 'POST', headers, body })
  for (let times = 0; times < 5; times++) await fetch(`${service.origin}/v1/pets`, { headers })

  const text = await completeMetrics(async () => (await fetch(`${service.origin}/metrics`, { headers })).text())

  const types = new Map(
    [...text.matchAll(/^# TYPE (petstore_\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]),
  )
  assert.ok(types.size >= 18)
  for (const [name, type] of types) {
    assert.equal(name.endsWith('_total'), type === 'counter', name)
    assert.match(text, new RegExp(`^# HELP ${name} [A-Z0-9].*\\.$`, 'm'))
  }
  for (const sample of [
    /^petstore_build_info\{version="[\d.]+",node="26[\d.]+",engine="sqlite"\} 1$/m,
    /^petstore_ready 1$/m,
    /^petstore_pets\{status="sold"\} 1$/m,
    /^petstore_api_keys\{state="active"\} 1$/m,
    /^petstore_cache_hits_total\{cache="responses"\} [1-4]$/m,
    /^petstore_cache_misses_total\{cache="responses"\} [1-5]$/m,
    /^petstore_writes_total\{outcome="stored"\} [1-9]/m,
    /^petstore_write_queue_length 0$/m,
    /^petstore_http_connections [1-9]/m,
    /^petstore_database_wal_size_bytes [1-9]/m,
    /^petstore_disk_free_bytes [1-9]/m,
    /^nodejs_eventloop_lag_p99_seconds \d/m,
    /^process_start_time_seconds 1/m,
  ]) {
    assert.match(text, sample)
  }
})

test('metrics: the sessions of PostgreSQL and the lag of its replicas are exported', async (t) => {
  const storage = await postgres.open(t)

  const text = await completeMetrics(async () =>
    textOf([
      await storageMetrics({ ...storage.stats(), replica: { isRead: true, lagMs: 1_500 } }),
      await shopMetrics({ storage, clock, engine: 'postgres' }),
    ]),
  )

  assert.match(text, /^petstore_postgres_sessions\{role="writer",state="idle"\} 1$/m)
  assert.match(text, /^petstore_postgres_replica_lag_seconds 1.5$/m)
  assert.match(text, /^petstore_postgres_server_sessions [1-9]/m)
})

test('metrics: what cannot be read during an outage is left out, and the service is not ready', async (t) => {
  const storage = await sqlite.open(t)
  const broken = {
    ...storage,
    check: () => Promise.reject(unavailable('Nothing can be written.')),
    size: () => Promise.reject(new Error('EIO')),
  }

  const text = textOf([await shopMetrics({ storage: broken, clock, engine: 'sqlite' })])

  assert.match(text, /^petstore_ready 0$/m)
  assert.match(text, /^petstore_pets\{status="sold"\} 0$/m)
  assert.doesNotMatch(text, /_bytes/)
})

test('metrics: expired and revoked keys are counted by their state', async (t) => {
  const storage = await sqlite.open(t)
  const key = { name: 'till', permission: 'read', createdAt: 0 } as const
  await storage.keys.create({ ...key, id: 'key_1', hash: '1' })
  await storage.keys.create({ ...key, id: 'key_2', hash: '2', expiresAt: 999 })
  await storage.keys.create({ ...key, id: 'key_3', hash: '3' })
  await storage.keys.revoke('key_3', 500)

  const text = textOf([await shopMetrics({ storage, clock, engine: 'sqlite' })])

  const states = [...text.matchAll(/^petstore_api_keys\{state="(\w+)"\} (\d)$/gm)].map(([, ...found]) =>
    found.join(' '),
  )
  assert.deepEqual(states, ['active 1', 'expired 1', 'revoked 1'])
})

test('metrics: the memory that is reserved for clients, who waits for it and who was refused', async () => {
  const budget = openByteBudget({ lanes: [{ upToBytes: Infinity, maxBytes: 100 }], maxWaitMs: 1 })
  const measure = async () => {
    const stats = { connections: 0, caches: [], streamLagEvents: async () => 0, budget: budget.stats() }
    const text = textOf([await edgeMetrics(stats)])
    return [...text.matchAll(/^petstore_client_memory_(\w+) (\d+)$/gm)].map(([, name, value]) => `${name} ${value}`)
  }
  budget.open('a').force(70)
  const waiting = budget.open('b').resize(50)

  assert.deepEqual(await measure(), ['bytes 70', 'waiting 1', 'refused_total 0'])
  await assert.rejects(waiting)
  assert.deepEqual(await measure(), ['bytes 70', 'waiting 0', 'refused_total 1'])
})

test('metrics: the lag of streams is the number of events that the slowest has not been sent', async (t) => {
  const { events, pets } = await sqlite.open(t)
  const feed = eventFeed(events, '/v1')
  t.after(() => feed.close())
  const budget = openByteBudget()
  const lag = async () =>
    textOf([await edgeMetrics({ connections: 0, caches: [], streamLagEvents: feed.lag, budget: budget.stats() })])
  for (let times = 0; times < 3; times++) await pets.create({ name: 'Rex', categoryId: 1n })
  const stuck = { canTake: () => false, send: () => undefined, writable: async () => false, end: () => undefined }

  const before = await lag()
  feed.follow({ ...stuck, after: { id: 2n } })
  feed.follow({ ...stuck, after: { id: 1n } })
  const after = await lag()

  assert.match(before, /^petstore_event_stream_lag_events 0$/m)
  assert.match(after, /^petstore_event_stream_lag_events 2$/m)
})
