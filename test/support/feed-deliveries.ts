import type { TestContext } from 'node:test'
import type { ShopEvent } from '../../src/contract/event.ts'
import type { DeliveryPosition, DeliveryRecord, NewDeliveryTry } from '../../src/inventory/deliveries.ts'
import type { Endpoint } from '../../src/inventory/webhooks.ts'
import { deliverEvents } from '../../src/webhooks/deliver-events.ts'
import { eventReader } from '../../src/webhooks/event-reader.ts'
import type { SendResult } from '../../src/webhooks/send-result.ts'

export const endpointOf = (id: bigint, change: Partial<Endpoint> = {}): Endpoint => ({
  id,
  url: `https://${id}.example/`,
  format: 'json',
  secret: 'whsec_',
  startsAfter: 0n,
  activeSince: 1,
  ...change,
})
export const never = new Set<never>()

interface Started {
  events?: number
  stored?: DeliveryPosition[]
  respond?: (url: string, eventId: string, signal: AbortSignal | undefined) => number | Promise<SendResult>
}

/** Deliveries of a feed to which a test adds, without sockets. */
export async function startFeed(
  t: TestContext,
  endpoints: Endpoint[],
  { events = 0, stored = [], respond }: Started = {},
) {
  const feed: ShopEvent[] = []
  const add = (count: number, type: ShopEvent['type'] = 'pet.created') => {
    for (let added = 0; added < count; added++) {
      const id = BigInt(feed.length + 1)
      feed.push({ id, type, subject: id, at: Number(id) * 10, data: '{}' })
    }
  }
  add(events)
  const shop = {
    endpoints,
    missed: false,
    now: 1_000_000,
    isReadable: true,
    isStorable: true,
    /** Reads of the feed wait for it. */
    reading: Promise.resolve(),
    disabling: async () => true,
  }
  const seen = {
    reads: 0,
    lookedUp: 0,
    enabledAsked: 0,
    sent: [] as string[],
    tries: [] as NewDeliveryTry[],
    positions: new Map<bigint, DeliveryPosition>(),
    lineages: new Set<string | undefined>(),
    disabled: [] as unknown[],
    told: [] as unknown[],
    failed: [] as string[],
    lost: 0,
    released: 0,
  }
  const reader = eventReader(
    {
      async list(limit, after = 0n) {
        seen.reads++
        await shop.reading
        if (!shop.isReadable) throw new Error('the database is away')
        const items = feed.filter(({ id }) => id > after).slice(0, limit)
        return { items, more: false, missed: shop.missed }
      },
      latest: async () => ({ id: BigInt(feed.length), lineage: 'k3x9Qa7B' }),
    },
    '/v1',
  )
  await reader.begin()
  const delivering = deliverEvents({
    deliveries: {
      acquire: async () => undefined,
      renew: async () => true,
      async release() {
        seen.released++
      },
      async record(_lease: unknown, _ms: number, record: DeliveryRecord) {
        if (!shop.isStorable) throw new Error('the disk is full')
        for (const position of record.positions) seen.positions.set(position.webhookId, position)
        seen.tries.push(...record.tries)
        seen.lineages.add(record.lineage)
        return true
      },
      async positions() {
        seen.lookedUp++
        return stored
      },
      forget: async () => undefined,
    },
    webhooks: {
      async enabled() {
        seen.enabledAsked++
        return shop.endpoints
      },
      disable(...all) {
        seen.disabled.push(all)
        return shop.disabling()
      },
    },
    reader,
    async send({ id }, { url }, { signal }) {
      const eventId = id.split('-')[0] as string
      seen.sent.push(`${eventId} ${url}`)
      const result = respond?.(url, eventId, signal) ?? 204
      return typeof result === 'number' ? { status: result, durationMs: 1 } : await result
    },
    clock: () => shop.now,
    shopClock: () => shop.now + 5,
    observer: {
      tried: ({ attempt, status }) => void seen.told.push([attempt, status]),
      disabled: ({ id }, reason) => void seen.told.push([id, reason]),
      failed: ({ message }) => void seen.failed.push(message),
    },
    lease: { holder: 'a', generation: 1n },
    leaseMs: 60_000,
    hasOwnThread: true,
    lost: () => seen.lost++,
  })
  t.after(() => delivering.stop(0))
  await delivering.use(endpoints)
  const stateOf = (id: bigint) => [...delivering.states()].find(({ endpoint }) => endpoint.id === id)
  return { delivering, shop, add, seen, stateOf }
}

export const eventsOf = (sent: readonly string[], id: bigint) =>
  sent.filter((each) => each.endsWith(endpointOf(id).url)).map((each) => Number(each.split(' ')[0]))
