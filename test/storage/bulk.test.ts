import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BulkDone, BulkOutcome, BulkRange, BulkRequest, Pets } from '../../src/inventory/pets.ts'
import { engines } from '../support/engines.ts'

function doneOf(bulk: BulkOutcome): BulkDone {
  assert.ok(bulk.outcome === 'done', bulk.outcome)
  return bulk.done
}

/** Calls until the end. */
async function runAll(pets: Pets, request: BulkRequest): Promise<BulkDone[]> {
  const calls: BulkDone[] = []
  for (let from: BulkRange | undefined, isEnd = false; !isEnd; ) {
    const done = doneOf(await pets.changeMany({ ...request, ...(from && { from }) }))
    calls.push(done)
    from = done.next
    isEnd = from === undefined
  }
  return calls
}

const named = (count: number, name: string) =>
  Array.from({ length: count }, () => ({ name, categoryId: 1n, status: 'available' as const }))

for (const engine of engines) {
  test(`${engine.name}: a bulk change changes 1,000 animals in a call, and all that match in several`, async (t) => {
    const { pets, imports, events } = await engine.open(t)
    await imports.add(named(2_100, 'Rex'))
    await pets.create({ name: 'Tom', categoryId: 2n, status: 'available' })

    const calls = await runAll(pets, { filter: { categoryId: 1n, status: 'available' }, change: { status: 'sold' } })

    assert.deepEqual(
      calls.map(({ changed }) => changed),
      [1_000, 1_000, 100],
    )
    assert.equal(await pets.count({ categoryId: 1n, status: 'sold' }), 2_100n)
    assert.equal(await pets.count({ status: 'available' }), 1n)
    const { sold, available } = await pets.inventory(1)
    assert.deepEqual([sold, available], [2_100n, 1n])
    const latest = await events.listBackwards(100)
    assert.deepEqual(
      latest.items.map(({ type, subject }) => [type, subject]),
      Array.from({ length: 100 }, (_none, index) => ['pet.updated', BigInt(2_100 - index)]),
    )
  })

  test(`${engine.name}: a bulk change leaves animals alone that are added after its first call`, async (t) => {
    const { pets, imports } = await engine.open(t)
    await imports.add(named(1_001, 'Rex'))
    const request = { filter: { categoryId: 1n }, change: 'delete' } as const

    const { next } = doneOf(await pets.changeMany(request))
    await pets.create({ name: 'New', categoryId: 1n })
    const last = doneOf(await pets.changeMany({ ...request, ...(next && { from: next }) }))

    assert.deepEqual([last.changed, last.next], [1, undefined])
    assert.deepEqual(
      (await pets.list({}, 100, 0n)).items.map(({ name }) => name),
      ['New'],
    )
  })

  test(`${engine.name}: ids choose animals, also repeated, unordered and unknown ones, and filters apply to them`, async (t) => {
    const { pets, orders } = await engine.open(t)
    for (const name of ['Rex', 'Tom', 'Mia', 'Ida']) await pets.create({ name, categoryId: 1n, status: 'available' })
    await pets.update(2n, { status: 'sold' })
    await orders.place({ petId: 3n })
    await orders.place({ petId: 1n })
    const ids = [4n, 3n, 99n, 1n, 3n, -5n]

    const done = doneOf(await pets.changeMany({ filter: { ids }, change: { status: 'sold' } }))
    const removed = doneOf(await pets.changeMany({ filter: { ids: [1n, 2n, 4n], status: 'sold' }, change: 'delete' }))

    assert.deepEqual(done, { changed: 1, unchanged: 0, refused: 2, ordered: [1n, 3n] })
    assert.deepEqual(removed, { changed: 2, unchanged: 0, refused: 0, ordered: [] })
    assert.deepEqual(
      (await pets.list({}, 100, 0n)).items.map(({ id, status }) => [id, status]),
      [
        [1n, 'pending'],
        [3n, 'pending'],
      ],
    )
  })

  test(`${engine.name}: many bulk changes by ids at once leave room for the reads of others`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create({ name: 'Rex', categoryId: 1n })
    const ids = Array.from({ length: 100 }, (_none, index) => BigInt(index + 1))

    const calls = Array.from({ length: 30 }, () => pets.changeMany({ filter: { ids }, change: { categoryId: 2n } }))

    assert.equal(
      (await Promise.all(calls)).map(doneOf).reduce((sum, { changed }) => sum + changed, 0),
      1,
    )
  })

  test(`${engine.name}: a bulk change by name finds animals as a search does, and removed ones are not found again`, async (t) => {
    const { pets } = await engine.open(t)
    for (const name of ['Big Réx', 'Tom', 'rex']) await pets.create({ name, categoryId: 1n })

    const [done] = await runAll(pets, { filter: { name: 'REX' }, change: 'delete' })

    assert.equal(done?.changed, 2)
    assert.deepEqual((await pets.list({ name: 'rex' }, 100, 0n)).items, [])
    assert.equal(await pets.count({}), 1n)
  })

  test(`${engine.name}: long names make the calls shorter, and none is left out`, async (t) => {
    const { pets, imports } = await engine.open(t)
    await imports.add(named(100, 'Rex '.repeat(500)))

    const calls = await runAll(pets, { filter: { categoryId: 1n }, change: { categoryId: 2n } })

    assert.ok(calls.length > 1)
    assert.ok(calls.every(({ changed }) => changed > 0 && changed <= 50))
    assert.equal(await pets.count({ categoryId: 2n }), 100n)
  })

  test(`${engine.name}: an idempotency key makes a bulk change once, also of animals that match again`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create({ name: 'Rex', categoryId: 1n })
    const idempotencyKey = { keyId: 'ann', name: 'once', fingerprint: 'a' }
    const request = { filter: { categoryId: 1n }, change: { categoryId: 2n }, idempotencyKey }

    const first = await pets.changeMany(request)
    await pets.update(1n, { categoryId: 1n })
    const again = await pets.changeMany(request)
    const other = await pets.changeMany({ ...request, idempotencyKey: { ...idempotencyKey, fingerprint: 'b' } })

    assert.deepEqual(again, { outcome: 'replayed', done: doneOf(first) })
    assert.deepEqual(other, { outcome: 'mismatch' })
    assert.equal((await pets.find(1n))?.categoryId, 1n)
  })

  test(`${engine.name}: two bulk changes at once change each animal once`, async (t) => {
    const { pets, imports, events } = await engine.open(t)
    await imports.add(named(300, 'Rex'))
    const before = (await events.latest()).id
    const request = { filter: { status: 'available' }, change: { status: 'sold' } } as const

    const both = await Promise.all([pets.changeMany(request), pets.changeMany(request)])

    assert.equal(
      both.map(doneOf).reduce((sum, { changed }) => sum + changed, 0),
      300,
    )
    assert.equal((await events.latest()).id - before, 300n)
  })

  test(`${engine.name}: a bulk change of an empty shop does nothing`, async (t) => {
    const { pets } = await engine.open(t)

    const done = doneOf(await pets.changeMany({ filter: { ids: [1n] }, change: 'delete' }))

    assert.deepEqual(done, { changed: 0, unchanged: 0, refused: 0, ordered: [] })
  })
}
