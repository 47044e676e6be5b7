import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ShopEvent } from '../../src/contract/event.ts'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import { encodeOrder, type Order } from '../../src/contract/order.ts'
import { encodePet, type Pet } from '../../src/contract/pet.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { engines, postgres, sqlite } from '../support/engines.ts'
import { idempotencyKey, idsOf, newYear, rex } from '../support/stored-events.ts'

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
