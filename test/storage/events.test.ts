import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ShopEvent } from '../../src/contract/event.ts'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import { encodeOrder, type Order } from '../../src/contract/order.ts'
import { encodePet, type NewPet, type Pet } from '../../src/contract/pet.ts'
import type { Events } from '../../src/inventory/events.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { engines, postgres, sqlite } from '../support/engines.ts'

const newYear = Date.UTC(2030, 0, 1)
/** Later than any time of these tests, in milliseconds. */
const farFuture = Date.UTC(2100, 0, 1)
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }
const idempotencyKey = { keyId: 'key_a', name: 'first try', fingerprint: 'of Rex' }
const wrong = { ...rex, status: 'lost' } as unknown as NewPet

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

    const { items } = await events.list(20)

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

      const { items } = await events.list(20, 3n)

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

  test(`${engine.name}: a position above the latest event is missed`, async (t) => {
    const { events } = await open(t, 2)

    for (const after of [3n, 1_000n, int64Max])
      assert.deepEqual(await events.list(20, after), { items: [], more: false, missed: true })
  })

  test(`${engine.name}: a position right before the first event misses nothing`, async (t) => {
    const { events } = await open(t, 2)

    for (const after of [0n, -1n, int64Min]) {
      const page = await events.list(20, after)
      assert.deepEqual([idsOf(page.items), page.missed], [[1n, 2n], false])
    }
  })

  test(`${engine.name}: latest is the id of the latest event`, async (t) => {
    const { events, pets } = await open(t, 2)

    const before = (await events.latest()).id
    await pets.remove(1n)

    assert.deepEqual([before, (await events.latest()).id], [2n, 3n])
  })

  test(`${engine.name}: forget deletes only events older than before`, async (t) => {
    const { events } = await open(t, 5)

    const forgotten = await events.forget(newYear + 2)

    assert.equal(forgotten, 2)
    assert.deepEqual(idsOf((await events.list(20)).items), [3n, 4n, 5n])
    assert.equal(await events.forget(newYear + 2), 0)
  })

  test(`${engine.name}: forget without old events writes nothing`, async (t) => {
    const { events, version } = await open(t, 2)
    const before = version()

    assert.equal(await events.forget(newYear), 0)
    assert.equal(version(), before)
  })

  test(`${engine.name}: forget changes no animals or orders`, async (t) => {
    const { events, orders, pets } = await open(t, 2)
    await orders.place({ petId: 1n })

    await events.forget(farFuture)

    assert.equal(await pets.count({}), 2n)
    assert.equal((await orders.list({}, 20, 0n)).items.length, 1)
  })

  test(`${engine.name}: forget deletes a limited number at a time, oldest first`, async (t) => {
    const { events, imports } = await engine.open(t, () => newYear)
    await imports.add(Array.from({ length: 12_000 }, () => rex))
    const counts: number[] = []

    for (let count = -1; count !== 0; ) {
      count = await events.forget(newYear + 1)
      counts.push(count)
      const [oldest] = (await events.list(1)).items
      if (oldest !== undefined) assert.equal(oldest.id, BigInt(counts.reduce((sum, each) => sum + each)) + 1n)
    }

    assert.equal(
      counts.reduce((sum, each) => sum + each),
      12_000,
    )
    assert.ok(Math.max(...counts) <= 10_000)
  })

  test(`${engine.name}: the events after forget have no gaps, even if the clock went back`, async (t) => {
    const times = [100, 300, 200, 100, 300]
    const { events, pets } = await engine.open(t, () => times.shift() ?? 0)
    for (let added = 0; added < 5; added++) await pets.create(rex)

    const forgotten = await events.forget(250)

    assert.equal(forgotten, 1)
    assert.deepEqual(idsOf((await events.list(20)).items), [2n, 3n, 4n, 5n])
  })

  test(`${engine.name}: an event from the future does not block forget`, async (t) => {
    const times = [100, 9_999, 200, 9_999, 300, 100]
    const { events, pets } = await engine.open(t, () => times.shift() ?? 0)
    for (let added = 0; added < 6; added++) await pets.create(rex)

    assert.equal(await events.forget(250, 400), 3)
    assert.deepEqual(idsOf((await events.list(20)).items), [4n, 5n, 6n])
    assert.equal(await events.forget(301, 400), 3)
  })

  test(`${engine.name}: an event from the future is kept if no old one follows it`, async (t) => {
    const times = [100, 9_999, 9_999]
    const { events, pets } = await engine.open(t, () => times.shift() ?? 0)
    for (let added = 0; added < 3; added++) await pets.create(rex)

    assert.equal(await events.forget(250, 400), 1)
    assert.equal(await events.forget(250, 400), 0)
    assert.deepEqual(idsOf((await events.list(20)).items), [2n, 3n])
  })

  test(`${engine.name}: thousands of events from the future are deleted, a limited number at a time`, async (t) => {
    let now = 9_999
    const { events, imports, pets } = await engine.open(t, () => now)
    await imports.add(Array.from({ length: 11_000 }, () => rex))
    now = 100
    await pets.create(rex)
    const counts: number[] = []

    for (let count = -1; count !== 0; counts.push(count)) count = await events.forget(250, 400)

    assert.deepEqual(counts, [5_000, 5_000, 1_001, 0])
  })

  test(`${engine.name}: ids continue after every event has expired`, async (t) => {
    const { events, pets } = await open(t, 3)
    await events.forget(farFuture)

    const latest = (await events.latest()).id
    await pets.create(rex)

    assert.equal(latest, 3n)
    assert.deepEqual(idsOf((await events.list(20)).items), [4n])
    assert.equal((await events.latest()).id, 4n)
  })

  test(`${engine.name}: a position before the oldest event has missed some`, async (t) => {
    const { events } = await open(t, 5)
    await events.forget(newYear + 3)

    const missed = await Promise.all([0n, 1n, 2n, 3n, 4n, 5n, 6n].map((after) => missedAfter(events, after)))

    assert.deepEqual(missed, [true, true, true, false, false, false, true])
    assert.deepEqual(idsOf((await events.list(20, 0n)).items), [4n, 5n])
  })

  test(`${engine.name}: a position below the latest id has missed some if no event is stored`, async (t) => {
    const { events } = await open(t, 3)
    await events.forget(farFuture)

    const missed = await Promise.all([-1n, 0n, 2n, 3n, 4n].map((after) => missedAfter(events, after)))

    assert.deepEqual(missed, [true, true, true, false, true])
  })

  test(`${engine.name}: a read from the oldest stored event has missed nothing`, async (t) => {
    const { events } = await open(t, 3)
    await events.forget(newYear + 2)
    const some = await events.list(20)
    await events.forget(farFuture)
    const { lineage, ...none } = await events.list(20)

    assert.deepEqual([idsOf(some.items), some.missed], [[3n], false])
    assert.deepEqual(none, { items: [], more: false, missed: false, end: 3n })
    assert.equal(lineage, (await events.latest()).lineage)
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

  test(`${engine.name}: a reader learns that it missed expired events`, async (t) => {
    const { events, pets } = await open(t, 3)
    const first = await events.list(2)

    await events.forget(newYear + 3)
    await pets.create(rex)
    const next = await events.list(2, first.items.at(-1)?.id)
    const rest = await events.list(2, next.items.at(-1)?.id)

    assert.deepEqual([idsOf(next.items), next.missed], [[4n], true])
    assert.deepEqual([rest.items, rest.more, rest.missed], [[], false, false])
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

async function missedAfter(events: Events, after: bigint): Promise<boolean> {
  return (await events.list(20, after)).missed
}

function petThree(status: NonNullable<Pet['status']>): string {
  return encodePet({ ...rex, id: 3n, status })
}

function orderOf(result: { outcome: string; order?: Order }): Order {
  assert.ok(result.order !== undefined, `no order in the outcome ${result.outcome}`)
  return result.order
}

function idsOf(items: readonly ShopEvent[]): bigint[] {
  return items.map(({ id }) => id)
}
