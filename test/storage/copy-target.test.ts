import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { int64Max } from '../../src/contract/int64.ts'
import type { Row } from '../../src/inventory/snapshot.ts'
import { openStorage } from '../../src/storage/open.ts'
import { type Engine, postgres, sqlite } from '../support/engines.ts'
import { openSource, openTarget, rowsIn } from '../support/snapshot.ts'

const counters: Row[] = [
  ['events', 7n],
  ['orders', 0n],
  ['pets', int64Max - 1n],
]
const rex: Row = [3n, 'Rex', 1n, null]
const tom: Row = [int64Max - 1n, 'Tom', 1n, 'sold']

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: a target is empty before a copy and used after it`, async (t) => {
    const { target } = await open(t, engine)

    const empty = await target.state()
    const isBegun = await target.begin('a shop', counters)
    const begun = await target.state()
    await target.finish()

    assert.deepEqual([empty, isBegun, begun, await target.state()], ['empty', true, 'unfinished', 'used'])
  })

  test(`${engine.name}: an unfinished copy can be resumed, but not replaced by another`, async (t) => {
    const { target } = await open(t, engine)
    await target.begin('a shop', counters)

    assert.equal(await target.begin('a shop', []), true)
    assert.equal(await target.begin('another shop', []), false)
  })

  test(`${engine.name}: a target cannot be opened or copied before the copy is finished`, async (t) => {
    const { target, url } = await open(t, engine)
    await target.begin('a shop', counters)

    const refusal = {
      name: 'StorageError',
      message: /contains an unfinished copy: run the same petstore copy again .* or copy into a new database if/,
    }
    await assert.rejects(openStorage(url), refusal)
    await assert.rejects(openSource(url), refusal)
    await target.finish()
    await (await openStorage(url)).close()
  })

  test(`${engine.name}: rows are added only after the last row`, async (t) => {
    const { target, url } = await open(t, engine)
    await target.begin('a shop', counters)

    const isFirst = await target.add('pets', [rex], undefined)
    const isFirstAgain = await target.add('pets', [rex], undefined)
    const isAfterAnother = await target.add('pets', [tom], [2n])
    const isNext = await target.add('pets', [tom], [3n])

    assert.deepEqual([isFirst, isFirstAgain, isAfterAnother, isNext], [true, false, false, true])
    assert.deepEqual(await target.last('pets'), [int64Max - 1n])
    assert.equal(await target.last('events'), undefined)
    await target.finish()
    assert.deepEqual((await rowsIn(url)).pets, [rex, tom])
  })

  test(`${engine.name}: a page with a row that cannot be stored adds none of its rows`, async (t) => {
    const { target } = await open(t, engine)
    await target.begin('a shop', counters)

    await assert.rejects(target.add('pets', [rex, [4n, 'Tom', 1n, 'lost']], undefined))

    assert.equal(await target.last('pets'), undefined)
  })

  test(`${engine.name}: ids and counts continue after a copy`, async (t) => {
    const { target, url } = await open(t, engine)
    await target.begin('a shop', counters)
    await target.add('pets', [rex], undefined)
    await target.finish()
    const storage = await openStorage(url)
    t.after(() => storage.close())

    const creation = await storage.pets.create({ name: 'Mia', categoryId: 1n })

    assert.deepEqual(creation, { outcome: 'created', pet: { id: int64Max, name: 'Mia', categoryId: 1n } })
    assert.equal(await storage.pets.count({ categoryId: 1n }), 2n)
    assert.equal((await storage.events.latest()).id, 8n)
    const { items, missed } = await storage.events.list(10, 6n)
    assert.deepEqual([items.map(({ id }) => id), missed], [[8n], true])
  })

  test(`${engine.name}: a database that assigned an id is not empty`, async (t) => {
    const url = await engine.url(t)
    const storage = await openStorage(url)
    await storage.pets.create({ name: 'Rex', categoryId: 1n })
    await storage.pets.remove(1n)
    await storage.events.forget(Date.now() + 1_000)
    await storage.close()

    const target = await openTarget(url)
    t.after(() => target.close())

    assert.deepEqual([await target.state(), await target.begin('a shop', counters)], ['used', false])
  })
}

test('postgres: a copy of text with NUL is refused with a sentence', async (t) => {
  const { target } = await open(t, postgres)
  await target.begin('a shop', counters)

  await assert.rejects(target.add('pets', [[1n, 'a\0b', 1n, null]], undefined), {
    name: 'StorageError',
    message: /NUL/,
  })
})

async function open(t: TestContext, engine: Engine) {
  const url = await engine.url(t)
  const target = await openTarget(url)
  t.after(() => target.close())
  return { target, url }
}
