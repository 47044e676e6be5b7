import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewPet } from '../../src/contract/pet.ts'
import { hasWords, searchWords } from '../../src/inventory/name-words.ts'
import type { PetPage, PetQuery } from '../../src/inventory/pets.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { engines } from '../support/engines.ts'
import { petFilters, statuses } from '../support/pet-filters.ts'

const given = ['Rex', 'Zoë', 'ポチ', 'Émile', 'rexo', 'Bella']

for (const engine of engines) {
  test(`${engine.name}: a search by name finds the same pets as comparing all names, with every filter and sort`, async (t) => {
    const storage = await engine.open(t)
    const all = await stock(storage, 400)

    for (const name of ['rex', 'z', 'R 1', 'emile brave', 'ホ', 'brave 39 re', 'zz', 'rexo the']) {
      for (const filter of [{}, ...petFilters]) {
        const matching = all.filter(
          (pet) =>
            hasWords(pet.name, searchWords(name)) &&
            (filter.status === undefined || (pet.status ?? 'none') === filter.status) &&
            (filter.categoryId === undefined || pet.categoryId === filter.categoryId),
        )
        const ids = matching.map(({ id }) => id)
        assert.deepEqual(await walk(storage, { name, ...filter }, 7), ids, name)
        assert.deepEqual(await walk(storage, { name, ...filter, sort: '-id' }, 10), ids.toReversed(), name)
        const byName = await firstByName(storage, { name, ...filter, sort: 'name' }, 1_000)
        assert.deepEqual(new Set(byName.items.map(({ id }) => id)), new Set(ids), name)
      }
    }
  })

  test(`${engine.name}: a search finds rare pets far from the beginning, and goes on after each page`, async (t) => {
    const storage = await engine.open(t)
    const pets = Array.from({ length: 9_000 }, (_none, index) => ({
      name: index % 1_000 === 500 ? `Zoë ${index}` : `Rex ${index}`,
      categoryId: index === 8_500 ? 2n : 1n,
    }))
    await add(storage, pets)
    const expected = pets.flatMap(({ name }, index) => (name.startsWith('Zoë') ? [BigInt(index + 1)] : []))

    assert.deepEqual(await walk(storage, { name: 'zoe' }, 2), expected)
    assert.deepEqual(await walk(storage, { name: 'ZOË', sort: '-id' }, 2), expected.toReversed())
    assert.deepEqual(await walk(storage, { name: 'zo 8', categoryId: 2n }, 5), [8_501n])
    assert.deepEqual(await walk(storage, { name: 'rex', categoryId: 2n }, 5), [])
    assert.deepEqual(await walk(storage, { name: 'r 8999' }, 5), [9_000n])
  })

  test(`${engine.name}: a search finds words of every frequency, page by page`, async (t) => {
    const storage = await engine.open(t)
    const everyNth = [10, 300, 2_500]
    const pets = Array.from({ length: 24_000 }, (_none, index) => ({
      name: ['Pet', ...everyNth.filter((nth) => index % nth === 0).map((nth) => `every${nth}th`)].join(' '),
      categoryId: 1n,
    }))
    await add(storage, pets)

    for (const nth of everyNth) {
      const ids = pets.flatMap((_pet, index) => (index % nth === 0 ? [BigInt(index + 1)] : []))
      assert.deepEqual(await walk(storage, { name: `every${nth}` }, 40), ids)
      assert.deepEqual(await walk(storage, { name: `pet every${nth}`, sort: '-id' }, 40), ids.toReversed())
    }
  })

  test(`${engine.name}: a search follows creates, renames and deletes`, async (t) => {
    const storage = await engine.open(t)
    await add(
      storage,
      Array.from({ length: 2_500 }, () => ({ name: 'Tom', categoryId: 1n })),
    )
    const created = await storage.pets.create({ name: 'Zoë the Brave', categoryId: 1n })
    assert.ok(created.outcome === 'created')
    const { id } = created.pet

    assert.deepEqual(await walk(storage, { name: 'brav' }, 5), [id])
    await storage.pets.update(id, { status: 'sold' })
    assert.deepEqual(await walk(storage, { name: 'brav', status: 'sold' }, 5), [id])
    await storage.pets.update(id, { name: 'Luna' })
    assert.deepEqual(await walk(storage, { name: 'brav' }, 5), [])
    assert.deepEqual(await walk(storage, { name: 'lu' }, 5), [id])
    await storage.pets.update(id, { name: '🐕' })
    assert.deepEqual(await walk(storage, { name: 'lu' }, 5), [])
    await storage.pets.update(id, { name: 'Luna' })
    await storage.pets.remove(id)
    assert.deepEqual(await walk(storage, { name: 'lu' }, 5), [])
  })

  test(`${engine.name}: a search for one id finds it only if its name has the words`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create({ name: 'Zoë', categoryId: 1n })

    assert.equal((await pets.list({ id: 1n, name: 'zo' }, 5, 0n)).items.length, 1)
    assert.equal((await pets.list({ id: 1n, name: 'rex' }, 5, 0n)).items.length, 0)
  })

  test(`${engine.name}: a search without a word is refused`, async (t) => {
    const { pets, categories } = await engine.open(t)

    for (const search of [
      () => pets.list({ name: '!!' }, 5, 0n),
      () => pets.list({ name: '!!', sort: 'name' }, 5, 0n),
      // Also if no animal has the id.
      () => pets.list({ name: '!!', id: 1n }, 5, 0n),
      () => categories.list(5, undefined, '!!'),
    ]) {
      await assert.rejects(async () => search(), { code: 'invalid_parameter' })
    }
  })

  test(`${engine.name}: a search in the order of names is not refused where a list is, because too many match`, async (t) => {
    const storage = await engine.open(t)
    await add(
      storage,
      Array.from({ length: 20_001 }, () => ({ name: 'Rex', categoryId: 1n })),
    )

    const first = await firstByName(storage, { name: 'rex', sort: 'name' }, 1)
    const last = await firstByName(storage, { name: 'rex', sort: '-name' }, 1)

    assert.deepEqual(
      [first, last].map(({ items, more }) => [items[0]?.id, more]),
      [
        [1n, true],
        [20_001n, true],
      ],
    )
  })

  test(`${engine.name}: categories are found by the words of their names`, async (t) => {
    const { categories } = await engine.open(t)
    const names = ['Dogs', 'Cats', 'Chiens et chats', 'Hot dogs', 'Dögge']
    for (const [index, name] of names.entries()) await categories.put({ id: BigInt(index - 2), name })

    const first = await categories.list(2, undefined, 'DÖG')
    const rest = await categories.list(2, first.items.at(-1)?.id, 'DÖG')

    assert.deepEqual(
      [first, rest].map(({ items, more }) => [items.map(({ name }) => name), more]),
      [
        [['Dogs', 'Hot dogs'], true],
        [['Dögge'], false],
      ],
    )
  })
}

/** All pages of a search. They may be short: a busy machine takes its time. */
async function walk({ pets }: Storage, query: PetQuery, limit: number): Promise<bigint[]> {
  const ids: bigint[] = []
  for (let after = 0n, more = true; more; ) {
    const page = await pets.list(query, limit, after)
    ids.push(...page.items.map(({ id }) => id))
    const next = page.next ?? page.items.at(-1)?.id
    assert.ok(page.items.length <= limit)
    assert.ok(!page.more || (next !== undefined && next !== after), 'a page makes progress')
    after = next ?? after
    more = page.more
  }
  return ids
}

/** The first page of a search in the order of names that has animals. On PostgreSQL a busy machine may need several. */
async function firstByName({ pets }: Storage, query: PetQuery, limit: number): Promise<PetPage> {
  let page = await pets.list(query, limit, 0n)
  while (page.items.length === 0 && page.nextByName !== undefined)
    page = await pets.list({ ...query, afterKey: page.nextByName.key }, limit, page.nextByName.id)
  return page
}

async function add({ imports }: Storage, pets: readonly NewPet[]): Promise<void> {
  await imports.add(pets)
}

/** Pets in three categories, with every status and names in several scripts. */
async function stock(storage: Storage, count: number): Promise<(NewPet & { id: bigint })[]> {
  const pets = Array.from({ length: count }, (_none, index) => {
    const status = statuses[index % 4]
    const name = `${given[index % 6]}${index % 5 === 0 ? ' the Brave' : ''}-${index}`
    return { name, categoryId: BigInt(index % 3), ...(status && { status }) }
  })
  await add(storage, pets)
  return pets.map((pet, index) => ({ id: BigInt(index + 1), ...pet }))
}
