import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PetQuery } from '../../src/inventory/pets.ts'
import { openStorage } from '../../src/storage/open.ts'
import { engines, postgres, sqlite, sqliteInMemory } from '../support/engines.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const

for (const engine of new Set([...engines, sqlite])) {
  test(`${engine.name}: a state that is held does not change while others write`, async (t) => {
    const { pets, categories, atOneState } = await engine.open(t)
    await pets.create(rex)
    await categories.put({ id: 1n, name: 'Dogs' })

    const { writes, before, after } = await atOneState(async (state) => {
      const read = async () => [
        await state.pets.list({ withTotal: true, sort: 'name' }, 10, 0n),
        await state.pets.list({ name: 'rex', sort: 'name' }, 10, 0n),
        await state.pets.list({ ids: [1n, 2n], withTotal: true }, 10, 0n),
        await state.pets.inventoryOf((await state.categories.list(10, undefined, 'dogs')).items),
      ]
      const first = await read()
      const writes = Promise.all([pets.create(rex), categories.put({ id: 1n, name: 'Cats' })])
      // In memory, writes wait for the state.
      if (engine !== sqliteInMemory) await writes
      return { writes, before: first, after: await read() }
    })

    assert.deepEqual(after, before)
    await writes
    assert.equal((await pets.list({ withTotal: true }, 10, 0n)).total, 2n)
  })

  test(`${engine.name}: the total of a page counts what the filter lists`, async (t) => {
    const { pets } = await engine.open(t)
    for (let nth = 0; nth < 3; nth++) await pets.create(rex)
    await pets.create({ name: 'Tom', categoryId: 2n })
    const expected: [PetQuery, bigint][] = [
      [{}, 4n],
      [{ status: 'available' }, 3n],
      [{ status: 'none' }, 1n],
      [{ status: 'sold' }, 0n],
      [{ categoryId: 1n }, 3n],
      [{ categoryId: 7n }, 0n],
      [{ categoryId: 2n, status: 'none' }, 1n],
      [{ categoryId: 2n, status: 'sold' }, 0n],
      [{ ids: [1n, 4n, 9n] }, 2n],
      [{ ids: [1n, 4n], status: 'available' }, 1n],
      [{ id: 4n }, 1n],
      [{ id: 4n, status: 'sold' }, 0n],
    ]

    for (const [query, total] of expected) {
      for (const sort of ['id', '-id', 'name', '-name'] as const) {
        if (query.id !== undefined && sort !== 'id') continue
        const page = await pets.list({ ...query, sort, withTotal: true }, 2, 0n)
        const plain = await pets.list({ ...query, sort }, 2, 0n)
        assert.deepEqual(page, { ...plain, total }, `${Object.entries(query).join()} ${sort}`)
      }
    }
  })
}

test('sqlite in memory: writes go on between states that are held one after the other', async (t) => {
  const { pets, atOneState } = await sqliteInMemory.open(t)
  const release = Promise.withResolvers<void>()
  const order: string[] = []

  const first = atOneState(async () => {
    await release.promise
    order.push('first')
  })
  const write = pets.create(rex).then(() => order.push('write'))
  // The write waits for the first state, and the second state for the write.
  await new Promise((resolve) => setImmediate(resolve))
  const second = atOneState(async (state) => {
    order.push(`second with ${(await state.pets.list({}, 10, 0n)).items.length}`)
  })
  release.resolve()
  await Promise.all([first, write, second])

  assert.deepEqual(order.toSorted(), ['first', 'second with 1', 'write'])
})

test('postgres: behind a pooler, a search in parts and its total are one state, too', async (t) => {
  const url = `${await postgres.url(t)}?pooler=transaction`
  // Ten parts, some of which look up a word.
  const storage = await openStorage(url, { searchBudget: { ms: 60_000, pets: 1_000, scannedFirst: 3 } })
  t.after(() => storage.close())
  const { pets, atOneState } = storage
  for (let nth = 1; nth <= 30; nth++) await pets.create({ ...rex, name: `Rex ${nth}` })

  const counts = await atOneState(async (state) => {
    const before = await state.pets.list({ withTotal: true }, 100, 0n)
    await pets.create(rex)
    const searches = [{ name: 'rex' }, { name: 'rex', sort: 'name' }, { name: 'rex 29' }] as const
    const found = []
    for (const search of searches) found.push((await state.pets.list(search, 100, 0n)).items.length)
    return [before.total, ...found]
  })

  assert.deepEqual(counts, [30n, 30, 30, 1])
})
