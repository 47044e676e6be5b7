import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ShopEvent } from '../../src/contract/event.ts'
import { encodeOrder } from '../../src/contract/order.ts'
import { encodePet } from '../../src/contract/pet.ts'
import type { Events } from '../../src/inventory/events.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { engines, postgres, sqlite } from '../support/engines.ts'
import { idsOf, rex, wrong } from '../support/stored-events.ts'

for (const engine of engines) {
  /** A shop with ten animals. */
  async function open(t: TestContext): Promise<Storage> {
    const storage = await engine.open(t)
    for (let added = 0; added < 10; added++) await storage.pets.create(rex)
    return storage
  }

  test(`${engine.name}: the events of concurrent changes are complete, in order and without gaps`, async (t) => {
    const storage = await open(t)

    await Promise.all(Array.from({ length: 300 }, (_none, index) => anyChange(storage, index)))

    await assertEventsComplete(storage)
  })

  test(`${engine.name}: a failed change leaves no event, the others of its group do`, async (t) => {
    const storage = await open(t)
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
    const storage = await open(t)
    let isWriting = true

    const reading = follow(storage.events, () => isWriting)
    for (let round = 0; round < 20; round++)
      await Promise.all(Array.from({ length: 20 }, (_none, index) => anyChange(storage, index + round)))
    isWriting = false
    const seen = await reading

    assert.deepEqual(seen, await allEvents(storage.events))
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
