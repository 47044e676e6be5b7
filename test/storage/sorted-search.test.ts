import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { NewPet, Pet, PetSort } from '../../src/contract/pet.ts'
import { hasWords, nameKey, searchWords } from '../../src/inventory/name-words.ts'
import type { NameCursor, PetQuery } from '../../src/inventory/pets.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { defaultBudget, type SearchBudget } from '../../src/storage/shared/reads/find-by-name.ts'
import { type Engine, engines, sqlite } from '../support/engines.ts'
import { petFilters, statuses } from '../support/pet-filters.ts'

const unlimited: SearchBudget = { ms: Number.MAX_SAFE_INTEGER, pets: Number.MAX_SAFE_INTEGER, scannedFirst: 20 }
const budgets: SearchBudget[] = [
  { ...unlimited, pets: 7, scannedFirst: 7 },
  { ...unlimited, pets: 40, scannedFirst: 10 },
  unlimited,
  { ...unlimited, ms: 0 },
  defaultBudget,
]

for (const engine of new Set([...engines, sqlite])) {
  for (const [nth, budget] of budgets.entries()) {
    test(`${engine.name}: each page of a search in the order of names is what an in-memory sort finds behind the one before, while others write (budget ${nth})`, async (t) => {
      const random = randomNumbers(20_35 + nth)
      const storage = await openWith(t, engine, budget)
      const shop = new Map<bigint, Pet>()
      await add(
        storage,
        shop,
        Array.from({ length: 120 }, () => randomPet(random)),
      )

      for (let round = 0; round < 6; round++) {
        const name = ['rex', 'b', 'zoe', 'r b', 'rare', 'brave rex', 'zz', longWord.slice(0, 40)][random(8)] as string
        const sort: PetSort = round % 2 === 0 ? 'name' : '-name'
        const filter = random(2) === 0 ? {} : petFilters[random(petFilters.length)]
        const query = { ...filter, name, sort }
        const limit = 1 + random(9)
        const [untouched, seen] = [new Set(shop.keys()), new Map<bigint, number>()]
        let at: NameCursor | undefined
        let pages = 0

        for (let more = true; more; pages++) {
          const page = await storage.pets.list({ ...query, ...(at && { afterKey: at.key }) }, limit, at?.id ?? 0n)
          const expected = matching(shop, query, at)
          const size = page.items.length
          assert.deepEqual(page.items, expected.slice(0, page.more ? size : limit), `${name} ${sort}`)
          assert.ok(page.more || expected.length <= limit, 'only the last page has no next one')
          for (const { id } of page.items) seen.set(id, (seen.get(id) ?? 0) + 1)
          const next = page.nextByName
          assert.equal(next !== undefined, page.more)
          // Nothing that matches is between the page and the next one.
          if (next !== undefined) assert.equal(matching(shop, query, next).length, expected.length - size)
          at = next
          more = page.more
          if (pages < 60) for (const id of await change(storage, shop, random)) untouched.delete(id)
        }

        const all = matching(shop, query, undefined).filter(({ id }) => untouched.has(id))
        assert.deepEqual(
          all.filter(({ id }) => seen.get(id) !== 1),
          [],
          'no repeats, no skips',
        )
      }
    })
  }

  test(`${engine.name}: a position in the order of names may have any characters`, async (t) => {
    const storage = await openWith(t, engine, unlimited)
    await storage.pets.create({ name: 'Rex', categoryId: 1n })

    for (const afterKey of ['rex"', 'rex"OR"!"*OR"r', "rex'", 'rex*']) {
      await assert.doesNotReject(storage.pets.list({ name: 'rex', sort: 'name', afterKey }, 10, 0n), afterKey)
    }
  })

  test(`${engine.name}: pages of a search in the order of names lead through many animals of one name, in both directions`, async (t) => {
    const storage = await openWith(t, engine, { ...unlimited, pets: 50, scannedFirst: 50 })
    const shop = new Map<bigint, Pet>()
    const names = ['Max', 'Rex', '🐕', longWord, `${longWord} Rex`, `${longWord} Max`, 'Rex Junior', 'Tom Rex']
    await add(
      storage,
      shop,
      Array.from({ length: 800 }, (_none, index) => ({ name: names[index % 8] as string, categoryId: 1n })),
    )

    for (const sort of ['name', '-name'] as const) {
      const expected = matching(shop, { name: 'rex', sort }, undefined).map(({ id }) => id)
      assert.deepEqual(await walk(storage, { name: 'rex', sort }, 30), expected)
    }
  })

  test(`${engine.name}: a page of a search in the order of names with long names goes on where it ended`, async (t) => {
    const storage = await openWith(t, engine, defaultBudget)
    const shop = new Map<bigint, Pet>()
    const rest = 'é'.repeat(30_000)
    await add(
      storage,
      shop,
      Array.from({ length: 60 }, (_none, index) => ({ name: `Rex ${(index * 7) % 60} ${rest}`, categoryId: 1n })),
    )

    for (const sort of ['name', '-name'] as const) {
      const expected = matching(shop, { name: 'rex', sort }, undefined).map(({ id }) => id)
      assert.deepEqual(await walk(storage, { name: 'rex', sort }, 100), expected)
    }
  })
}

const longWord = 'ポ'.repeat(64)

async function openWith(t: TestContext, engine: Engine, searchBudget: SearchBudget): Promise<Storage> {
  const storage = await openStorage(await engine.url(t), {
    searchBudget,
    readTimeoutMs: 60_000,
    writeTimeoutMs: 60_000,
  })
  t.after(() => storage.close())
  return storage
}

async function add({ imports, pets }: Storage, shop: Map<bigint, Pet>, added: readonly NewPet[]): Promise<void> {
  await imports.add(added)
  for (let after = 0n, more = true; more; ) {
    const page = await pets.list({}, 100, after)
    for (const pet of page.items) shop.set(pet.id, pet)
    after = page.items.at(-1)?.id ?? after
    more = page.more
  }
}

/** One write of somebody else. Returns the pets that it changed. */
async function change({ pets }: Storage, shop: Map<bigint, Pet>, random: Random): Promise<bigint[]> {
  const kind = random(8)
  if (kind > 3) return []
  if (kind === 0) {
    const creation = await pets.create(randomPet(random))
    assert.equal(creation.outcome, 'created')
    shop.set(creation.pet.id, creation.pet)
    return []
  }
  const { id } = [...shop.values()][random(shop.size)] as Pet
  if (kind === 1) {
    await pets.remove(id)
    shop.delete(id)
    return [id]
  }
  const { name, status = null } = randomPet(random)
  const updated = await pets.update(id, kind === 2 ? { name } : { status })
  assert.ok(updated.outcome === 'updated')
  shop.set(id, updated.pet)
  return [id]
}

async function walk({ pets }: Storage, query: PetQuery, limit: number): Promise<bigint[]> {
  const ids: bigint[] = []
  let at: NameCursor | undefined
  for (let more = true; more; ) {
    const page = await pets.list({ ...query, ...(at && { afterKey: at.key }) }, limit, at?.id ?? 0n)
    assert.notDeepEqual(page.nextByName, at ?? {}, 'a page makes progress')
    ids.push(...page.items.map(({ id }) => id))
    at = page.nextByName
    more = page.more
  }
  return ids
}

/** What a search must find behind a position. */
function matching(shop: ReadonlyMap<bigint, Pet>, query: PetQuery & { name: string }, after?: NameCursor): Pet[] {
  const { name, status, categoryId, sort } = query
  const words = searchWords(name)
  const sign = sort === '-name' ? -1 : 1
  const compare = (one: NameCursor, other: NameCursor) =>
    sign * (Buffer.compare(Buffer.from(one.key), Buffer.from(other.key)) || Number(one.id - other.id))
  return [...shop.values()]
    .filter((pet) => hasWords(pet.name, words))
    .filter((pet) => status === undefined || (pet.status ?? 'none') === status)
    .filter((pet) => categoryId === undefined || pet.categoryId === categoryId)
    .map((pet) => ({ pet, at: { key: nameKey(pet.name), id: pet.id } }))
    .filter(({ at }) => after === undefined || compare(at, after) > 0)
    .toSorted((one, other) => compare(one.at, other.at))
    .map(({ pet }) => pet)
}

type Random = (below: number) => number

/** Numbers below a bound, the same in every run. */
function randomNumbers(seed: number): Random {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

function randomPet(random: Random): NewPet {
  const words = Array.from(
    { length: 1 + random(3) },
    () => ['Rex', 'Bella', 'Zoë', 'the', 'Brave', '🐕', 'Ünal', '1'][random(8)],
  )
  if (random(15) === 0) words.unshift(longWord)
  if (random(40) === 0) words.push('Rare')
  const status = statuses[random(4)]
  return { name: words.join(' '), categoryId: BigInt(random(3)), ...(status && { status }) }
}
