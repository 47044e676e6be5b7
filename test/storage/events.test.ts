import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ShopEvent } from '../../src/contract/event.ts'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import { encodeOrder, type Order } from '../../src/contract/order.ts'
import { encodePet, type Pet } from '../../src/contract/pet.ts'
import type { Events } from '../../src/inventory/events.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { engines, postgres, sqlite } from '../support/engines.ts'
import { idempotencyKey, idsOf, newYear, rex, wrong } from '../support/stored-events.ts'

for (const engine of engines) {
  /** A shop in which so many animals were created, one each millisecond from New Year on. */
  async function open(t: TestContext, animals: number): Promise<Storage> {
    let now = newYear
    const storage = await engine.open(t, () => now++)
    for (let added = 0; added < animals; added++) await storage.pets.create(rex)
    return storage
  }

  test(`${engine.name}: a new shop has no events, and the latest id is 0`, async (t) => {
    const { events } = await engine.open(t)

    assert.deepEqual(await events.list(20), { items: [], more: false, missed: false, end: 0n })
    assert.deepEqual(await events.list(20, 0n), { items: [], more: false, missed: false, end: 0n })
    assert.equal((await events.latest()).id, 0n)
  })

  test(`${engine.name}: creating, updating and removing an animal leave events with its JSON`, async (t) => {
    const { events, pets } = await open(t, 0)
    await pets.create(rex)
    await pets.update(1n, { name: 'Max', status: null })
    await pets.remove(1n)

    const items = withoutLineage((await events.list(20)).items)

    const before: Pet = { id: 1n, ...rex }
    const after: Pet = { id: 1n, name: 'Max', categoryId: 1n }
    assert.deepEqual(items, [
      { id: 1n, type: 'pet.created', subject: 1n, at: newYear, data: encodePet(before) },
      { id: 2n, type: 'pet.updated', subject: 1n, at: newYear + 1, data: encodePet(after) },
      { id: 3n, type: 'pet.deleted', subject: 1n, at: newYear + 2, data: encodePet(after) },
    ])
  })

  for (const [status, petStatus] of [
    ['completed', 'sold'],
    ['cancelled', 'available'],
  ] as const) {
    test(`${engine.name}: an order that is placed and ${status} leaves an event of its animal, then its own, each time`, async (t) => {
      const { events, orders } = await open(t, 3)
      const placement = await orders.place({ petId: 3n })
      const update = await orders.update(1n, { status })

      const items = withoutLineage((await events.list(20, 3n)).items)

      assert.deepEqual(items, [
        { id: 4n, type: 'pet.updated', subject: 3n, at: newYear + 3, data: petThree('pending') },
        { id: 5n, type: 'order.placed', subject: 1n, at: newYear + 3, data: encodeOrder(orderOf(placement)) },
        { id: 6n, type: 'pet.updated', subject: 3n, at: newYear + 4, data: petThree(petStatus) },
        { id: 7n, type: `order.${status}`, subject: 1n, at: newYear + 4, data: encodeOrder(orderOf(update)) },
      ])
    })
  }

  test(`${engine.name}: an event has the exact JSON of its animal`, async (t) => {
    const { events, pets } = await engine.open(t)
    const name = `\u0001\u001f\u007f\u0085"'\\/\u2028\ufeff👩‍👩‍👧‍👦\u{10ffff}`
    await pets.create({ name, categoryId: int64Min })
    await pets.update(1n, { categoryId: int64Max })

    const { items } = await events.list(20)

    assert.deepEqual(
      items.map(({ data }) => data),
      [encodePet({ id: 1n, name, categoryId: int64Min }), encodePet({ id: 1n, name, categoryId: int64Max })],
    )
  })

  test(`${engine.name}: a refused or ineffective write leaves no event`, async (t) => {
    const { events, orders, pets } = await engine.open(t)
    await pets.create(rex, idempotencyKey)
    await orders.place({ petId: 1n })
    await orders.place({ petId: 1n })
    const before = (await events.latest()).id

    const outcomes = [
      await pets.create(rex, idempotencyKey),
      await pets.create(rex, { ...idempotencyKey, fingerprint: 'of Tom' }),
      await pets.update(1n, {}),
      await pets.update(1n, { status: 'pending' }),
      await pets.update(1n, { status: 'sold' }),
      await pets.update(1n, { name: 'Max' }, { match: ['"another"'] }),
      await pets.update(2n, { name: 'Max' }),
      await pets.remove(1n),
      await pets.remove(2n),
      await orders.place({ petId: 1n }),
      await orders.place({ petId: 2n }),
      await orders.update(2n, { status: 'completed' }),
    ]

    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      // biome-ignore format: one row for each kind of write
      [
        'replayed', 'mismatch',
        'updated', 'updated', 'ordered', 'unmet', 'missing',
        'ordered', 'missing',
        'taken', 'missing', 'missing',
      ],
    )
    assert.equal((await events.latest()).id, before)
  })

  test(`${engine.name}: putting a category leaves no event`, async (t) => {
    const { categories, events } = await engine.open(t)

    await categories.put({ id: 1n, name: 'Dogs' })

    assert.equal((await events.latest()).id, 0n)
  })

  test(`${engine.name}: a list of events returns at most limit events after a position`, async (t) => {
    const { events } = await open(t, 5)

    const first = await events.list(3)
    const second = await events.list(3, 3n)
    const exact = await events.list(2, 3n)
    const last = await events.list(3, 5n)

    assert.deepEqual([idsOf(first.items), first.more], [[1n, 2n, 3n], true])
    assert.deepEqual([idsOf(second.items), second.more], [[4n, 5n], false])
    assert.deepEqual([idsOf(exact.items), exact.more], [[4n, 5n], false])
    assert.deepEqual([last.items, last.more, last.missed], [[], false, false])
  })

  test(`${engine.name}: latest is the id of the latest event`, async (t) => {
    const { events, pets } = await open(t, 2)

    const before = (await events.latest()).id
    await pets.remove(1n)

    assert.deepEqual([before, (await events.latest()).id], [2n, 3n])
  })

  test(`${engine.name}: every event has the lineage in which it got its id, however it is read`, async (t) => {
    const { events, pets } = await open(t, 2)
    await pets.create({ ...rex, name: 'x'.repeat(20_000) })
    const { lineage } = await events.latest()
    assert.match(lineage ?? '', /^\w{8}$/)

    for (const filter of [{}, { petId: 3n }, { type: 'pet.created' }] as const) {
      for (const list of [events.list, events.listBackwards]) {
        const { items } = await list(20, undefined, undefined, filter)
        assert.deepEqual(new Set(items.map((event) => event.lineage)), new Set([lineage]))
        assert.ok(items.some(({ data }) => data.length > 20_000))
      }
    }
  })

  test(`${engine.name}: the events of concurrent changes are complete, in order and without gaps`, async (t) => {
    const storage = await open(t, 10)

    await Promise.all(Array.from({ length: 300 }, (_none, index) => anyChange(storage, index)))

    await assertEventsComplete(storage)
  })

  test(`${engine.name}: a failed change leaves no event, the others of its group do`, async (t) => {
    const storage = await open(t, 10)
    const { pets } = storage

    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_none, index) => {
        if (index % 20 === 3) return pets.create(wrong)
        if (index % 20 === 13) return pets.update(BigInt(index % 10) + 1n, { status: 'lost' as never })
        return anyChange(storage, index)
      }),
    )

    // Some of the animals that were to be updated may be gone or ordered by then; none may be created.
    assert.ok(results.filter(({ status }) => status === 'rejected').length >= 3)
    await assertEventsComplete(storage)
  })

  test(`${engine.name}: a reader skips no event while others write`, async (t) => {
    const storage = await open(t, 10)
    let isWriting = true

    const reading = follow(storage.events, () => isWriting)
    for (let round = 0; round < 20; round++)
      await Promise.all(Array.from({ length: 20 }, (_none, index) => anyChange(storage, index + round)))
    isWriting = false
    const seen = await reading

    assert.deepEqual(seen, await allEvents(storage.events))
  })

  test(`${engine.name}: events of a closed storage are unavailable`, async (t) => {
    const storage = await engine.open(t)
    await storage.close()

    await assert.rejects(storage.events.list(20), { code: 'unavailable' })
    await assert.rejects(storage.events.latest(), { code: 'unavailable' })
    await assert.rejects(storage.events.forget(0), { code: 'unavailable' })
  })
}

// Nobody else can open a database in memory.
for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: the events of two instances have one order without gaps`, async (t) => {
    const url = await engine.url(t)
    const storages = [await openStorage(url), await openStorage(url)] as const
    t.after(() => Promise.all(storages.map((storage) => storage.close())))
    const [one, other] = storages
    for (let added = 0; added < 10; added++) await one.pets.create(rex)
    let isWriting = true

    const reading = Promise.all(storages.map(({ events }) => follow(events, () => isWriting)))
    for (let round = 0; round < 10; round++)
      await Promise.all(
        Array.from({ length: 20 }, (_none, index) => anyChange(index % 2 === 0 ? one : other, index + round)),
      )
    isWriting = false
    const [seenByOne, seenByOther] = await reading

    const all = await assertEventsComplete(one)
    assert.deepEqual(seenByOne, all)
    assert.deepEqual(seenByOther, all)
  })

  test(`${engine.name}: events survive a restart`, async (t) => {
    const url = await engine.url(t)
    const before = await openStorage(url)
    await before.pets.create(rex)
    const page = await before.events.list(20)
    await before.close()

    const after = await openStorage(url)
    t.after(() => after.close())

    assert.deepEqual(await after.events.list(20), page)
    assert.equal((await after.events.latest()).id, 1n)
  })
}

/** One change of some kind to one of ten animals; it may be refused. */
function anyChange({ pets, orders }: Storage, index: number): Promise<unknown> {
  const id = BigInt(index % 10) + 1n
  switch (index % 7) {
    case 0:
      return pets.create({ ...rex, name: `pet ${index}` })
    case 1:
    case 2:
      return orders.place({ petId: id })
    case 3:
      return orders.update(BigInt(index % 20) + 1n, { status: index % 2 === 0 ? 'completed' : 'cancelled' })
    case 4:
      return pets.update(id, { name: `name ${index}` })
    case 5:
      return pets.update(id, { status: 'available' })
    default:
      return index % 3 === 0 ? pets.remove(id) : pets.update(id, { categoryId: BigInt(index % 4) })
  }
}

/** Whoever replays the events from the first has the shop as it is, and their ids are 1, 2, 3, …. Resolves to them. */
async function assertEventsComplete({ events, orders, pets }: Storage): Promise<ShopEvent[]> {
  const all = await allEvents(events)
  const latest = { pet: new Map<bigint, string>(), order: new Map<bigint, string>() }
  for (const { type, subject, data } of all) {
    const kind = latest[type.startsWith('pet.') ? 'pet' : 'order']
    if (type === 'pet.deleted') {
      assert.equal(kind.get(subject), data)
      kind.delete(subject)
    } else {
      assert.equal(kind.has(subject), type !== 'pet.created' && type !== 'order.placed')
      kind.set(subject, data)
    }
  }

  assert.deepEqual(
    idsOf(all),
    all.map((_event, index) => BigInt(index) + 1n),
  )
  assert.equal((await events.latest()).id, BigInt(all.length))
  assert.deepEqual([...latest.pet.values()], (await pets.list({}, 1_000, 0n)).items.map(encodePet))
  assert.deepEqual([...latest.order.values()], (await orders.list({}, 1_000, 0n)).items.map(encodeOrder))
  return all
}

async function allEvents(events: Events): Promise<ShopEvent[]> {
  return follow(events, () => false)
}

/** Reads page by page, from the first on, until there is no more and nobody writes. */
async function follow(events: Events, isWriting: () => boolean): Promise<ShopEvent[]> {
  const seen: ShopEvent[] = []
  for (;;) {
    const mayBeMore = isWriting()
    const { items, more, missed } = await events.list(7, seen.at(-1)?.id ?? 0n)
    assert.equal(missed, false)
    seen.push(...items)
    if (!more && !mayBeMore) return seen
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function petThree(status: NonNullable<Pet['status']>): string {
  return encodePet({ ...rex, id: 3n, status })
}

function orderOf(result: { outcome: string; order?: Order }): Order {
  assert.ok(result.order !== undefined, `no order in the outcome ${result.outcome}`)
  return result.order
}

function withoutLineage(items: readonly ShopEvent[]): ShopEvent[] {
  return items.map(({ lineage: _lineage, ...event }) => event)
}
