import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { NewPet, Pet, PetSort } from '../../src/contract/pet.ts'
import { hasWords, nameKey, searchWords } from '../../src/inventory/name-words.ts'
import type { NameCursor, PetFilter, PetQuery } from '../../src/inventory/pets.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import type { SearchBudget } from '../../src/storage/shared/reads/find-by-name.ts'
import { type Engine, engines, sqlite, sqliteInMemory } from '../support/engines.ts'
import { petFilters, statuses } from '../support/pet-filters.ts'

// Budgets that count pets, not time: pages end where the test says.
const unlimited: SearchBudget = { ms: Number.MAX_SAFE_INTEGER, pets: Number.MAX_SAFE_INTEGER, scannedFirst: 2_000 }

for (const engine of engines) {
  test(`${engine.name}: the pages of a search together are the filtered list, whatever its budget, filters, sort and page size`, async (t) => {
    const random = randomNumbers(20_26)
    const pets = Array.from({ length: 60 }, () => randomPet(random))
    let shortPages = 0

    for (const budget of [1, 2, 7].map((pets) => ({ ...unlimited, pets, scannedFirst: 1 + random(3) }))) {
      const storage = await openWith(t, engine, budget)
      await add(storage, pets)
      const all = (await storage.pets.list({}, 100, 0n)).items
      for (let round = 0; round < 8; round++) {
        const name = ['rex', 'b', 'zoe', 'r b', 'rare', 'brave rex', 'zz'][random(7)] as string
        const filter = [{}, ...petFilters][random(6)] as PetFilter
        const sort = (['id', '-id', 'name', '-name'] as const)[round % 4] as PetSort
        const limit = 1 + random(9)

        const pages = await readPages(storage, { ...filter, name, sort }, limit)

        assert.deepEqual(pages.flat(), matching(all, { ...filter, name, sort }), JSON.stringify({ name, sort, limit }))
        shortPages += pages.slice(0, -1).filter((page) => page.length < limit).length
      }
    }
    assert.ok(shortPages > 20, `${shortPages} pages were short`)
  })

  test(`${engine.name}: a page of a search that finds nothing ends with its budget, and says where it ended`, async (t) => {
    const storage = await openWith(t, engine, { ...unlimited, pets: 6, scannedFirst: 6 })
    await add(storage, alternating(40))

    const forwards = await storage.pets.list({ name: 'rex luna' }, 5, 0n)
    const backwards = await storage.pets.list({ name: 'rex luna', sort: '-id' }, 5, 0n)

    assert.deepEqual([forwards.items, forwards.more, forwards.next], [[], true, 6n])
    assert.deepEqual([backwards.items, backwards.more, backwards.next], [[], true, 35n])
  })

  test(`${engine.name}: a page of a search makes progress, though its time is over before it begins`, async (t) => {
    const storage = await openWith(t, engine, { ...unlimited, ms: 0 })
    await add(storage, alternating(40))

    for (const sort of ['id', '-id'] as const) {
      const { items, next = items.at(-1)?.id } = await storage.pets.list({ name: 'rex', sort }, 5, 0n)
      assert.ok(next !== undefined && next !== 0n, `${sort}: ${items.length} animals, ${next}`)
    }
  })

  test(`${engine.name}: the index finds a rare word far away within the budget`, async (t) => {
    const storage = await openWith(t, engine, { ...unlimited, pets: 6, scannedFirst: 4 })
    const rare = { name: 'Zoë of Rex', categoryId: 1n }
    await add(storage, [...alternating(300), rare, ...alternating(300)])

    for (const query of [{ name: 'zoe' }, { name: 'rex zoe' }, { name: 'zoe', sort: '-id' }] as const) {
      const page = await storage.pets.list(query, 5, 0n)
      assert.deepEqual([page.items.map(({ id }) => id), page.more], [[301n], false], query.name)
    }
  })

  test(`${engine.name}: a plain list is never short, whatever a search may cost`, async (t) => {
    const storage = await openWith(t, engine, { ...unlimited, pets: 1, scannedFirst: 1 })
    await add(storage, alternating(30))

    for (const query of [{}, { sort: '-id' }, { sort: 'name' }, { categoryId: 1n }] as const) {
      const { items, more, next } = await storage.pets.list(query, 20, 0n)
      assert.deepEqual([items.length, more, next], [20, true, undefined])
    }
  })

  test(`${engine.name}: a search whose caller has left ends, and those of others go on`, async (t) => {
    const storage = await openWith(t, engine, { ...unlimited, pets: 3, scannedFirst: 2 })
    await add(storage, alternating(30))
    const left = new AbortController()
    const caller = { id: 'left', signal: left.signal, reserve: async () => {}, tryReserve: () => true }
    const search = (sort: PetSort) => storage.pets.list({ name: 'rex', sort }, 5, 0n, caller)

    const abandoned = [...Array.from({ length: 20 }, () => search('id')), search('name')]
    const other = storage.pets.list({ name: 'rex' }, 1, 0n, { ...caller, id: 'other', signal: never })
    left.abort()

    const outcomes = await Promise.allSettled(abandoned)
    assert.deepEqual((await other).items.length, 1)
    // The first ones may have run before it left.
    assert.ok(outcomes.slice(2).every((one) => one.status === 'rejected' && one.reason.code === 'invalid_request'))
    await assert.rejects(search('-id'), { code: 'invalid_request' })
    await assert.rejects(storage.categories.list(5, undefined, 'rex', caller), { code: 'invalid_request' })
  })

  test(`${engine.name}: the pages of a search for categories together are all that match, whatever its budget`, async (t) => {
    const storage = await openWith(t, engine, { ...unlimited, pets: 3 })
    const names = ['Dogs', 'Cats', 'Hot dogs', 'Birds', 'Fish', 'Toys', 'Food', 'Dögge', 'Snakes', 'Dogs and cats']
    for (const [index, name] of names.entries()) await storage.categories.put({ id: BigInt(index - 4), name })

    for (const limit of [1, 2, 20]) {
      const found: string[] = []
      let pages = 0
      for (let after: bigint | undefined, more = true; more; pages++) {
        const page = await storage.categories.list(limit, after, 'DOG')
        found.push(...page.items.map(({ name }) => name))
        after = page.next ?? page.items.at(-1)?.id
        more = page.more
      }
      assert.deepEqual(found, ['Dogs', 'Hot dogs', 'Dögge', 'Dogs and cats'])
      assert.ok(pages >= 3)
    }
    assert.deepEqual(await storage.categories.list(2, undefined, 'zz'), { items: [], more: true, next: -2n })
    assert.equal((await storage.categories.list(20)).items.length, 10)
  })
}

const never = new AbortController().signal

async function openWith(t: TestContext, engine: Engine, searchBudget: SearchBudget): Promise<Storage> {
  const storage = await openStorage(await engine.url(t), { searchBudget })
  t.after(() => storage.close())
  return storage
}

async function add({ imports }: Storage, pets: readonly NewPet[]): Promise<void> {
  await imports.add(pets)
}

/** Two common words that never meet. */
function alternating(count: number): NewPet[] {
  return Array.from({ length: count }, (_none, index) => ({ name: index % 2 === 0 ? 'Rex' : 'Luna', categoryId: 1n }))
}

/** Numbers below a bound, the same in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

function randomPet(random: (below: number) => number): NewPet {
  const words = Array.from({ length: 1 + random(3) }, () => ['Rex', 'Bella', 'Zoë', 'the', 'Brave', '🐕'][random(6)])
  const status = statuses[random(4)]
  const name = [...words, ...(random(40) === 0 ? ['Rare'] : [])].join(' ')
  return { name, categoryId: BigInt(random(3)), ...(status && { status }) }
}

/** The ids of the pets that a search must find, in its order. */
function matching(all: readonly Pet[], { name = '', status, categoryId, sort }: PetQuery): bigint[] {
  const words = searchWords(name)
  const found = all.filter(
    (pet) =>
      hasWords(pet.name, words) &&
      (status === undefined || (pet.status ?? 'none') === status) &&
      (categoryId === undefined || pet.categoryId === categoryId),
  )
  const byName = (one: Pet, other: Pet) =>
    Buffer.compare(Buffer.from(nameKey(one.name)), Buffer.from(nameKey(other.name))) || Number(one.id - other.id)
  const ids = (sort === 'name' || sort === '-name' ? found.toSorted(byName) : found).map(({ id }) => id)
  return sort === '-id' || sort === '-name' ? ids.toReversed() : ids
}

/** The ids of each page. */
async function readPages({ pets }: Storage, query: PetQuery, limit: number): Promise<bigint[][]> {
  const pages: bigint[][] = []
  let at: Partial<NameCursor> = {}
  for (let more = true; more; ) {
    const { id = 0n, key } = at
    const page = await pets.list({ ...query, ...(key !== undefined && { afterKey: key }) }, limit, id)
    pages.push(page.items.map((pet) => pet.id))
    assert.ok(page.items.length <= limit)
    const next = page.nextByName ?? { id: page.next ?? page.items.at(-1)?.id ?? id }
    assert.ok(!page.more || next.id !== at.id || ('key' in next && next.key !== key), 'a page makes progress')
    at = next
    more = page.more
  }
  return pages
}

for (const engine of [sqlite, sqliteInMemory]) {
  test(`${engine.name}: common words that seldom meet are found at once, whatever their beginnings`, async (t) => {
    // The time has ended before the first pet is compared: only the index can find them.
    const storage = await openWith(t, engine, { ...unlimited, ms: 0 })
    const pets = alternating(11_000)
    const meet = ['Lunatic Rexi, b3', 'rex LÚNA b1', 'Lunar Rexona']
    for (const [index, name] of meet.entries()) pets[3_000 + 2_500 * index] = { name, categoryId: 2n, status: 'sold' }
    // A beginning of many words.
    for (let index = 0; index < 40; index++) pets[1_000 + index] = { name: `B${index}`, categoryId: 1n }
    await add(storage, pets)
    const idsOf = async (query: PetQuery, limit = 5) => (await readPages(storage, query, limit)).map(String)

    assert.deepEqual(await idsOf({ name: 'rex luna' }), ['3001,5501,8001'])
    assert.deepEqual(await idsOf({ name: 'lu re', sort: '-id' }, 2), ['8001,5501', '3001'])
    // On a busy machine the first pages may be empty.
    const byName = await idsOf({ name: 'lu re', sort: 'name' })
    assert.deepEqual(byName.filter(Boolean), ['8001,3001,5501'])
    assert.deepEqual(await idsOf({ name: 'lu re b' }), ['3001,5501'])
    assert.deepEqual(await idsOf({ name: 'lu re', categoryId: 1n }), [''])
    assert.deepEqual(await idsOf({ name: 'lu re', categoryId: 2n, status: 'sold' }, 1), ['3001', '5501', '8001'])
  })

  test(`${engine.name}: a page without time compares few costly names, and many short ones`, async (t) => {
    const storage = await openWith(t, engine, { ms: 0, pets: 2_000, scannedFirst: 2_000 })
    const costly = Array.from({ length: 40 }, () => ({ name: '\ufdfa'.repeat(1_000), categoryId: 1n }))
    const short = Array.from({ length: 200 }, () => ({ name: 'Rex', categoryId: 2n }))
    await add(storage, [...costly, ...short])

    const page = (categoryId: bigint) => storage.pets.list({ name: 'zz', categoryId }, 5, 0n)

    assert.deepEqual(await page(1n), { items: [], more: true, next: 4n })
    assert.deepEqual(await page(2n), { items: [], more: false })
  })
}

for (const engine of engines) {
  test(`${engine.name}: a search finds names of any length whole, and compares their beginning`, async (t) => {
    const storage = await openWith(t, engine, unlimited)
    const names = [994, 995, 996, 997, 20_000].map((length) => `Rex ${'é'.repeat(length)}🐶`)
    await add(
      storage,
      [...names, `${'x'.repeat(1_000)} Rex`].map((name) => ({ name, categoryId: 1n })),
    )

    for (const sort of ['id', 'name'] as const) {
      const { items } = await storage.pets.list({ name: 'rex', sort }, 10, 0n)

      assert.deepEqual(
        items.map(({ name }) => names.indexOf(name)),
        [0, 1, 2, 3, 4],
      )
    }
  })
}
