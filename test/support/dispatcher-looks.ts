import type { TestContext } from 'node:test'
import type { ShopEvent } from '../../src/contract/event.ts'
import type { DeliveryLease, DeliveryRecord } from '../../src/inventory/deliveries.ts'
import type { Endpoint } from '../../src/inventory/webhooks.ts'
import type { DispatcherStorage } from '../../src/webhooks/dispatcher-storage.ts'
import { type DispatcherOptions, startDispatcher } from '../../src/webhooks/dispatcher.ts'

export const refreshMs = 10_000
export const leaseMs = 60_000
export const endpointOf = (id: bigint, url = 'http://127.0.0.1:9/'): Endpoint => ({
  id,
  url,
  format: 'json',
  secret: 'whsec_',
  startsAfter: 0n,
  activeSince: 1,
})

export const monotonicNow = performance.now.bind(performance)

/**
 * A dispatcher whose storage says what it is asked, and whose monotonic clock the test can move. Once in a test: a clock
 * that is mocked twice is not restored.
 */
export function dispatch(
  t: TestContext,
  endpoints: Endpoint[],
  { monotonicClock = monotonicNow, ...options }: Partial<DispatcherOptions> & { monotonicClock?: () => number } = {},
) {
  let skippedMs = 0
  t.mock.method(performance, 'now', () => monotonicClock() + skippedMs)
  const shop = {
    version: 1,
    endpoints,
    events: [] as ShopEvent[],
    lease: { holder: 'a', generation: 1n } as DeliveryLease | undefined,
    isHeld: true,
    failing: undefined as string | undefined,
  }
  const calls: string[] = []
  let looks = 0
  const records: DeliveryRecord[] = []
  const failures: string[] = []
  const call = async <Result>(name: string, result: () => Result): Promise<Result> => {
    calls.push(name)
    if (shop.failing === name) throw new Error(`${name} failed`)
    return result()
  }
  const storage: DispatcherStorage = {
    version() {
      looks++
      return shop.version
    },
    events: {
      list: (limit, after = 0n) =>
        call('list', () => {
          const items = shop.events.filter(({ id }) => id > after).slice(0, limit)
          return { items, more: false, missed: false }
        }),
      latest: () => call('latest', () => ({ id: shop.events.at(-1)?.id ?? 0n, lineage: 'k3x9Qa7B' })),
    },
    webhooks: { enabled: () => call('enabled', () => shop.endpoints), disable: async () => true },
    deliveries: {
      acquire: (_holder, ms) => call(`acquire ${ms}`, () => shop.lease),
      renew: () => call('renew', () => shop.isHeld),
      release: () => call('release', () => undefined),
      record: (_lease, _ms, record) =>
        call('record', () => {
          records.push(record)
          return shop.isHeld
        }),
      positions: async () => [],
      forget: (ids) => call(`forget ${ids.join()}`, () => undefined),
    },
  }
  const dispatcher = startDispatcher({
    storage,
    source: '/v1',
    addresses: { allowPrivate: true },
    leaseMs,
    refreshMs,
    observer: {
      tried: () => undefined,
      disabled: () => undefined,
      failed: ({ message }) => failures.push(message),
    },
    ...options,
  })
  t.after(() => dispatcher.stop())
  return {
    dispatcher,
    shop,
    records,
    failures,
    /** What the storage is asked in one look, `ms` later. */
    async look(ms = 0): Promise<string[]> {
      skippedMs += ms
      calls.length = 0
      await dispatcher.tick()
      return [...calls]
    },
    calls,
    looks: () => looks,
    happen(count = 1, at = 0) {
      for (let added = 0; added < count; added++) {
        const id = BigInt(shop.events.length + 1)
        shop.events.push({ id, type: 'pet.created', subject: id, at, data: '{}' })
      }
      shop.version++
    },
  }
}

export const toLead = ['enabled', `acquire ${leaseMs}`, 'latest', 'enabled', 'list']

/** After a write there is one more read. */
export const toLeadAfterWrite = [...toLead, 'list']
