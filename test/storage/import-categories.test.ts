import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Category } from '../../src/contract/category.ts'
import { PetStoreError } from '../../src/inventory/errors.ts'
import type { ImportedPet, ImportStep, NamedCategory } from '../../src/inventory/imports.ts'
import { maxNewCategoryId } from '../../src/inventory/rules/create-category.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { engines } from '../support/engines.ts'

const cats: Category = { id: 5n, name: 'Cats' }
const key = { keyId: 'key', name: 'spring' }
const step: ImportStep = { key: { ...key, fingerprint: 'one' }, before: undefined, body: '{"rows":1}' }
const hamster: NamedCategory = { name: 'Hamster' }

for (const engine of engines) {
  test(`${engine.name}: a name stands for the category of exactly this name, else for one without case and accents`, async (t) => {
    const { categories, imports } = await engine.open(t)
    const named = ['Cats', 'CATS', 'Éclair', 'Fish', 'Fish', 'dogs', 'Dogs', '🐇', 'x'.repeat(1000), '🐕'.repeat(1000)]
    named.push('はは', 'दाल', 'ΣΊΣΥΦΟΣ', '❤', `${'\ufdfa'.repeat(999)}a`)
    for (const [index, name] of named.entries()) await categories.put({ id: BigInt(index), name })

    const found = {
      Cats: 0n,
      CATS: 1n,
      cats: 'ambiguous',
      eclair: 2n,
      'E\u0301CLAIR': 2n,
      Fish: 'ambiguous',
      fish: 'ambiguous',
      DOGS: 'ambiguous',
      Dogs: 6n,
      '🐇': 7n,
      '🐈': 'missing',
      ' Dogs': 'missing',
      [`${'x'.repeat(999)}X`]: 8n,
      ['x'.repeat(999)]: 'missing',
      ['🐕'.repeat(1000)]: 9n,
      // Other words: these marks are no accents.
      ばば: 'missing',
      दिल: 'missing',
      Σίσυφος: 12n,
      '❤\ufe0f': 13n,
      [`${'\ufdfa'.repeat(999)}A`]: 14n,
      [`${'\ufdfa'.repeat(999)}b`]: 'missing',
    }

    assert.deepEqual(await imports.findCategories(Object.keys(found)), Object.values(found))
  })

  test(`${engine.name}: a category is found by its new name, and not by the one before, nor when it is removed`, async (t) => {
    const { categories, imports } = await engine.open(t)
    await categories.put(cats)
    await categories.put({ ...cats, name: 'Dogs' })

    assert.deepEqual(await imports.findCategories(['Cats', 'dogs']), ['missing', 5n])
    await categories.remove(cats.id)
    assert.deepEqual(await imports.findCategories(['Cats', 'dogs']), ['missing', 'missing'])
  })

  test(`${engine.name}: thousands of names are found in the order in which they are asked for`, async (t) => {
    const { categories, imports } = await engine.open(t)
    await categories.put(cats)
    const names = Array.from({ length: 2_500 }, (_none, index) => (index % 2 === 0 ? 'cats' : `none ${index}`))

    const matches = await imports.findCategories(names)

    assert.deepEqual(
      matches,
      names.map((name) => (name === 'cats' ? 5n : 'missing')),
    )
  })

  test(`${engine.name}: an import makes its new categories, with ids above those in use and those of its animals`, async (t) => {
    const { categories, imports, pets } = await engine.open(t)
    await categories.put(cats)
    await pets.create({ name: 'Old', categoryId: 9n })
    const named = [{ name: 'cats', id: 5n }, hamster, { name: 'Papageien' }]
    const given: ImportedPet[] = [
      { name: 'Tom', categoryId: 5n },
      { name: 'Ina', categoryId: 0n, newCategory: 1 },
      { name: 'Rex', categoryId: 12n },
      { name: 'Coco', categoryId: 0n, newCategory: 2 },
      { name: 'Ida', categoryId: 0n, newCategory: 1 },
    ]

    assert.equal(await imports.add(given, undefined, undefined, () => named), true)

    assert.deepEqual((await categories.list(20)).items, [
      cats,
      { id: 13n, name: 'Hamster' },
      { id: 14n, name: 'Papageien' },
    ])
    const ids = (await pets.list({}, 20, 1n)).items.map(({ categoryId }) => categoryId)
    assert.deepEqual(ids, [5n, 13n, 12n, 14n, 13n])
    assert.equal(await pets.count({ categoryId: 13n }), 2n)
    assert.equal(await pets.count({ categoryId: 0n }), 0n)
  })

  test(`${engine.name}: of imports at once with the same new category one makes it, and all use it`, async (t) => {
    const storage = await engine.open(t)
    const names = ['Hamster', 'HAMSTER', 'hamster', 'Hamster']

    await Promise.all(names.map((name) => addNew(storage, [{ name }])))

    const { items } = await storage.categories.list(20)
    assert.equal(items.length, 1)
    assert.equal(await storage.pets.count({ categoryId: items[0]?.id ?? 0n }), 4n)
  })

  for (const [what, change] of Object.entries<(storage: Storage) => Promise<unknown>>({
    renamed: ({ categories }) => categories.put({ ...cats, name: 'Dogs' }),
    removed: ({ categories }) => categories.remove(cats.id),
    'not the only one of this name any more': ({ categories }) => categories.put({ id: 6n, name: 'Cats' }),
  })) {
    test(`${engine.name}: an import whose category is ${what} stores nothing and may be tried again`, async (t) => {
      const storage = await engine.open(t)
      await storage.categories.put(cats)
      const [found] = await storage.imports.findCategories(['Cats'])
      await change(storage)
      const before = await storage.categories.list(20)
      const named = [hamster, { name: 'Cats', id: found as bigint }]

      await assert.rejects(addNew(storage, named, step), isError('unavailable'))

      await assertNothing(storage, before)
    })
  }

  test(`${engine.name}: an import whose new name is ambiguous by now stores nothing`, async (t) => {
    const storage = await engine.open(t)
    await storage.categories.put({ id: 1n, name: 'HAMSTER' })
    await storage.categories.put({ id: 2n, name: 'hamster' })
    const before = await storage.categories.list(20)

    await assert.rejects(addNew(storage, [hamster], step), isError('unavailable'))

    await assertNothing(storage, before)
  })

  test(`${engine.name}: an import for whose category no id is free stores nothing`, async (t) => {
    const storage = await engine.open(t)
    await storage.categories.put({ id: maxNewCategoryId - 1n, name: 'Last but one' })
    const before = await storage.categories.list(20)

    await assert.rejects(addNew(storage, [hamster, { name: 'Papageien' }], step), isError('conflict'))

    await assertNothing(storage, before)
  })

  test(`${engine.name}: an import whose step is refused makes no category`, async (t) => {
    const storage = await engine.open(t)

    const isAdded = await storage.imports.add(
      [{ name: 'Ina', categoryId: 0n, newCategory: 0 }],
      () => ({ ...step, before: 'none' }),
      undefined,
      () => [hamster],
    )

    assert.equal(isAdded, false)
    await assertNothing(storage, { items: [], more: false })
  })

  test(`${engine.name}: pets of a new category may be read in parts`, async (t) => {
    const storage = await engine.open(t)
    async function* parts(): AsyncGenerator<ImportedPet[]> {
      yield Array.from({ length: 6_000 }, () => ({ name: 'Ina', categoryId: 0n, newCategory: 0 }))
      yield [{ name: 'Rex', categoryId: 7n }]
    }

    await storage.imports.add(parts(), undefined, undefined, () => [hamster])

    assert.deepEqual((await storage.categories.list(20)).items, [{ id: 8n, name: 'Hamster' }])
    assert.equal(await storage.pets.count({ categoryId: 8n }), 6_000n)
  })
}

/** With the step, if one is given. */
async function addNew({ imports }: Storage, named: NamedCategory[], given?: ImportStep): Promise<boolean> {
  const pets = named.map(({ id }, index) =>
    id === undefined ? { name: 'Ina', categoryId: 0n, newCategory: index } : { name: 'Tom', categoryId: id },
  )
  return imports.add(
    pets,
    () => given,
    undefined,
    () => named,
  )
}

async function assertNothing({ pets, categories, imports }: Storage, before: unknown): Promise<void> {
  assert.equal(await pets.count({}), 0n)
  assert.deepEqual(await categories.list(20), before)
  assert.equal(await imports.stepOf(key), undefined)
}

function isError(code: string): (error: unknown) => boolean {
  return (error) => error instanceof PetStoreError && error.code === code && !error.mayHaveSucceeded
}
