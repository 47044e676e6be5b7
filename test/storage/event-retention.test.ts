import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import type { Events } from '../../src/inventory/events.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { engines } from '../support/engines.ts'
import { farFuture, idsOf, newYear, rex } from '../support/stored-events.ts'

for (const engine of engines) {
  /** A shop in which so many animals were created, one each millisecond from New Year on. */
  async function open(t: TestContext, animals: number): Promise<Storage> {
    let now = newYear
    const storage = await engine.open(t, () => now++)
    for (let added = 0; added < animals; added++) await storage.pets.create(rex)
    return storage
  }

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
}

async function missedAfter(events: Events, after: bigint): Promise<boolean> {
  return (await events.list(20, after)).missed
}
