import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as tick } from 'node:timers/promises'
import { encodeEvent, type ShopEvent } from '../../src/contract/event.ts'
import type { EventPage } from '../../src/inventory/events.ts'
import { eventReader, type QueuedEvent } from '../../src/webhooks/event-reader.ts'

const eventOf = (id: bigint, data = '{}'): ShopEvent => ({ id, type: 'pet.created', subject: 1n, at: 5, data })
const all = () => true
const none = () => false

/** A feed that a test can change, and what was read of it: after which event, and how many at most. */
function feed(...ids: bigint[]) {
  const events = new Map<bigint, ShopEvent>(ids.map((id) => [id, eventOf(id)]))
  const reads: [limit: number, after: bigint | undefined, lineage?: string | undefined][] = []
  const shop = {
    lineage: 'k3x9Qa7B',
    page: {} as Partial<EventPage>,
    latest: ids.at(-1) ?? 0n,
    held: Promise.resolve(),
  }
  const reader = eventReader(
    {
      async list(limit, after = 0n, lineage) {
        reads.push([limit, after, lineage])
        const items = [...events.values()].filter(({ id }) => id > after).slice(0, limit)
        await shop.held
        return { items, more: false, missed: false, ...shop.page }
      },
      latest: async () => ({ id: shop.latest, lineage: shop.lineage }),
    },
    '/v1',
  )
  return { reader, reads, events, shop }
}

const idsOf = (events: readonly QueuedEvent[] | undefined) => events?.map(({ id }) => id)

test('new events are read after the head and in its lineage, and are those of the feed', async () => {
  const { reader, reads, events } = feed(1n, 2n)
  await reader.begin()
  events.set(3n, eventOf(3n))

  const page = await reader.readNew()

  assert.deepEqual([reader.head, reader.lineage, reads], [2n, 'k3x9Qa7B', [[100, 2n, 'k3x9Qa7B']]])
  const [event] = page?.events ?? []
  assert.deepEqual([event?.id, event?.type, event?.at], [3n, 'petstore.pet.created', 5])
  for (let count = 0; count < 2; count++) assert.equal(event?.body(), encodeEvent(eventOf(3n), '/v1'))
  assert.deepEqual([page?.head, page?.lineage], [3n, 'k3x9Qa7B'])
})

test('the head moves to what was read, in the lineage of the page', async () => {
  const { reader, events, shop } = feed(1n)
  await reader.begin()
  assert.deepEqual(await reader.readNew(), { events: [], head: 1n, lineage: 'k3x9Qa7B' })
  events.set(2n, eventOf(2n))
  shop.page = { lineage: 'newLine1' }
  const page = await reader.readNew()
  assert.equal(reader.head, 1n)

  assert.ok(page)
  reader.moveTo(page)
  assert.deepEqual([reader.head, reader.lineage], [2n, 'newLine1'])
})

test('events that were missed are another history', async () => {
  const { reader, shop } = feed(1n)
  await reader.begin()
  shop.page = { missed: true }

  assert.equal(await reader.readNew(), undefined)
})

test('an event that was read is found without another read, but not before the head has moved to it', async () => {
  const { reader, reads, events } = feed(1n)
  await reader.begin()
  events.set(2n, eventOf(2n)).set(3n, eventOf(3n))
  const page = await reader.readNew()
  assert.ok(page)
  assert.deepEqual(await reader.findNext(1n, all), { position: 1n })
  reader.moveTo(page)

  const found = await reader.findNext(1n, ({ id }) => id === 3n)

  assert.deepEqual([found.position, found.event?.id], [2n, 3n])
  assert.equal(reads.length, 1)
})

test('earlier events are read from the position on, and found again without another read', async () => {
  const { reader, reads } = feed(1n, 2n, 3n)
  await reader.begin()

  for (let count = 0; count < 2; count++) {
    const { position, event } = await reader.findNext(1n, all)
    assert.deepEqual([position, event?.id], [1n, 2n])
  }
  assert.deepEqual(reads, [[100, 1n, undefined]])
})

test('without a wanted event the position is the head, and never goes back', async () => {
  const { reader } = feed(1n, 2n, 3n)
  await reader.begin()

  assert.deepEqual(await reader.findNext(0n, none), { position: 3n })
  assert.deepEqual(await reader.findNext(7n, all), { position: 7n })
})

test('an event after the head at the time of the call is not found', async () => {
  const { reader, events } = feed(1n, 2n)
  await reader.begin()
  events.set(3n, eventOf(3n))

  assert.deepEqual(await reader.findNext(1n, ({ id }) => id === 3n), { position: 2n })
})

test('events that have expired or cannot be read are skipped, page by page', async () => {
  const { reader, reads, events, shop } = feed(150n)
  shop.latest = 260n
  events.set(149n, { ...eventOf(149n), isUnreadable: true })
  const ordered = [...events.values()].toSorted((one, other) => Number(one.id - other.id))
  events.clear()
  for (const each of ordered) events.set(each.id, each)
  await reader.begin()

  const found = await reader.findNext(0n, all)
  assert.deepEqual([found.position, found.event?.id], [149n, 150n])
  assert.deepEqual(await reader.findNext(150n, all), { position: 260n })
  assert.deepEqual(reads, [
    [100, 0n, undefined],
    [100, 150n, undefined],
    [100, 250n, undefined],
  ])
})

test('new events that cannot be read are passed by the head', async () => {
  const { reader, events } = feed(1n)
  await reader.begin()
  events.set(2n, { ...eventOf(2n), isUnreadable: true })

  const page = await reader.readNew()

  assert.deepEqual([idsOf(page?.events), page?.head], [[], 2n])
})

test('the events that were read first are forgotten when more than 4 MiB are in memory', async () => {
  const { reader, reads, events } = feed()
  // Each takes 1 MiB.
  const add = async (id: bigint) => {
    events.set(id, eventOf(id, 'x'.repeat(512 * 1024 - 500)))
    const page = await reader.readNew()
    assert.ok(page)
    reader.moveTo(page)
  }
  await reader.begin()
  for (const id of [1n, 2n, 3n, 4n]) await add(id)
  reads.length = 0
  for (const position of [3n, 2n, 1n, 0n]) await reader.findNext(position, all)
  assert.equal(reads.length, 0)

  await add(5n)
  reads.length = 0
  for (const position of [4n, 3n, 2n, 1n]) await reader.findNext(position, all)
  assert.equal(reads.length, 0)
  await reader.findNext(0n, all)
  assert.equal(reads.length, 1)
})

test('a process that begins anew forgets what it has read', async () => {
  const { reader, events } = feed(1n, 2n)
  await reader.begin()
  await reader.findNext(0n, all)
  events.set(1n, { ...eventOf(1n), type: 'pet.deleted' })
  await reader.begin()

  assert.equal((await reader.findNext(0n, all)).event?.type, 'petstore.pet.deleted')
})

test('what is read while a process begins anew is not kept: it may be of a history that was lost', async () => {
  const { reader, reads, events, shop } = feed(1n, 2n)
  await reader.begin()
  const { promise, resolve } = Promise.withResolvers<void>()
  shop.held = promise
  const reading = reader.findNext(0n, all)
  while (reads.length === 0) await tick()
  events.set(1n, { ...eventOf(1n), type: 'pet.deleted' })
  await reader.begin()
  resolve()
  await reading

  assert.equal((await reader.findNext(0n, all)).event?.type, 'petstore.pet.deleted')
})

test('an event in memory does not wait for the reads of others', async () => {
  const { reader, reads, shop } = feed(1n, 2n, 3n)
  await reader.begin()
  await reader.findNext(2n, all)
  shop.held = new Promise(() => undefined)
  void reader.findNext(0n, all)
  while (reads.length === 1) await tick()

  assert.equal((await reader.findNext(2n, all)).event?.id, 3n)
})

test('a search through many events leaves the event loop to others', async (t) => {
  const { reader } = feed(1n, 2n, 3n)
  await reader.begin()
  await reader.findNext(0n, none)
  let elapsed = 0
  t.mock.method(performance, 'now', () => (elapsed += 1_000))
  const done: string[] = []
  setImmediate(() => done.push('others'))

  await reader.findNext(0n, none).then(() => done.push('found'))

  assert.deepEqual(done, ['others', 'found'])
})

test('a read that failed does not hold back the next one', async () => {
  const { reader, events, shop } = feed(1n)
  await reader.begin()
  Object.defineProperty(shop, 'page', {
    get() {
      throw new Error('the database is away')
    },
    configurable: true,
  })
  await assert.rejects(reader.findNext(0n, all), /the database is away/)
  Object.defineProperty(shop, 'page', { value: {} })

  const { event } = await reader.findNext(0n, all)
  assert.deepEqual([event?.id, events.size], [1n, 1])
})

test('endpoints at the same place read it once', async () => {
  const { reader, reads } = feed(1n, 2n, 3n)
  await reader.begin()

  const found = await Promise.all([reader.findNext(0n, all), reader.findNext(0n, all), reader.findNext(1n, all)])

  assert.deepEqual(idsOf(found.flatMap(({ event }) => event ?? [])), [1n, 1n, 2n])
  assert.equal(reads.length, 1)
})

test('a page has as many events as fit into 256 KiB, and at least one', async () => {
  const { reader, reads, events, shop } = feed()
  for (let id = 1n; id <= 6n; id++) events.set(id, eventOf(id, 'x'.repeat(64 * 1024 - 500)))
  for (let id = 7n; id <= 20n; id++) events.set(id, eventOf(id, 'x'.repeat(1024 * 1024)))
  shop.latest = 20n
  await reader.begin()
  shop.page = { items: [...events.values()].slice(0, 2) }
  await reader.findNext(0n, all)
  shop.page = {}

  await reader.findNext(2n, all) // Two of 128 KiB fit.
  await reader.findNext(8n, all) // These are larger.
  await reader.findNext(12n, all)

  assert.deepEqual(
    reads.map(([limit]) => limit),
    [100, 2, 2, 1],
  )
})
