import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewPet } from '../../src/contract/pet.ts'
import type { PetQuery } from '../../src/inventory/pets.ts'
import { openStorage } from '../../src/storage/open.ts'
import { sampledIds, wordSample } from '../../src/storage/shared/reads/word-sample.ts'
import { engines } from '../support/engines.ts'

const given = 32
const family = 16

/** Common words, of which each pair meets once in 512 pets. */
const pets = Array.from({ length: 3_000 }, (_none, index): NewPet => {
  const nth = (index * 7) % (given * family)
  return { name: `Given${nth % given} the Family${Math.floor(nth / given)}x`, categoryId: 1n }
})

for (const engine of engines) {
  test(`${engine.name}: a name that exists is found by the index, however common each of its words is`, async (t) => {
    // A scan of so many pets fills no page, and after it there are too few left for one word.
    const searchBudget = { ms: Number.MAX_SAFE_INTEGER, scannedFirst: 1_000, pets: 1_010 }
    const storage = await openStorage(await engine.url(t), { searchBudget })
    t.after(() => storage.close())
    await storage.imports.add(pets)
    const { name } = pets[2_000] as NewPet
    const ids = pets.flatMap((pet, index) => (pet.name === name ? [BigInt(index + 1)] : []))
    const firstOf = async (query: PetQuery, after: bigint) => {
      const { items, more } = await storage.pets.list(query, 3, after)
      return [...items.map(({ id }) => id), more]
    }

    assert.deepEqual(await firstOf({ name }, 0n), [...ids.slice(0, 3), true])
    assert.deepEqual(await firstOf({ name, sort: '-id' }, 0n), [...ids.toReversed().slice(0, 3), true])
    assert.deepEqual(await firstOf({ name }, ids[2] as bigint), [...ids.slice(3, 6), ids.length > 6])
  })
}

for (const engine of engines) {
  test(`${engine.name}: a word that nobody has any more is found by no search, and harms none`, async (t) => {
    const storage = await openStorage(await engine.url(t))
    t.after(() => storage.close())
    await storage.imports.add([
      { name: 'Zanzibar', categoryId: 1n },
      { name: 'Quagga', categoryId: 1n },
      ...pets.slice(0, 200),
    ])
    const search = async (name: string, sort: 'id' | '-id') =>
      (await storage.pets.list({ name, sort }, 20, 0n)).items.map(({ id }) => id)
    const { name } = pets[100] as NewPet
    const before = await search(name, 'id')
    assert.deepEqual([await search('zanzibar', 'id'), await search('quagga', 'id')], [[1n], [2n]])

    await storage.pets.remove(1n)
    await storage.pets.update(2n, { name: 'Okapi' })

    for (const sort of ['id', '-id'] as const) {
      assert.deepEqual(await search('zanzibar', sort), [])
      assert.deepEqual(await search('quagga', sort), [])
      assert.deepEqual(await search('zanzibar given1', sort), [])
      assert.deepEqual(await search('okapi', sort), [2n])
    }
    assert.deepEqual(await search(name, 'id'), before)
  })
}

test('a sample has ids from the whole shop, and all ids of a small one', () => {
  const large = sampledIds(1_000_000n)

  assert.deepEqual(sampledIds(null), [])
  assert.deepEqual(sampledIds(3n), [1n, 2n, 3n])
  assert.equal(new Set(large).size, 256)
  assert.equal(large[0], 1n)
  assert.ok((large.at(-1) as bigint) > 990_000n)
})

test('a sample tells which part of the pets has a word that begins so', () => {
  const { pets, shareOf } = wordSample([['rex', 'junior'], ['rexona'], ['tom', 'rex'], []], 4_000n)

  assert.deepEqual([pets, shareOf('rex'), shareOf('rexo'), shareOf('ex'), shareOf('rex')], [4_000, 0.75, 0.25, 0, 0.75])
})
