import assert from 'node:assert/strict'
import { test } from 'node:test'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import { encodePet } from '../../src/contract/json.ts'
import type { NewPet } from '../../src/contract/pet.ts'
import { PetStoreError } from '../../src/inventory/errors.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { engines, postgres } from '../support/engines.ts'
import { runSql } from '../support/postgres-databases.ts'

const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }
const tom: NewPet = { name: 'Tom', categoryId: 2n }
const mia: NewPet = { name: 'Mia', categoryId: 1n, status: 'sold' }

for (const engine of engines) {
  test(`${engine.name}: addStaged adds all staged animals, with ids in order`, async (t) => {
    const storage = await engine.open(t)
    await storage.pets.create(mia)
    await storage.imports.stage([rex, tom])
    await storage.imports.stage([mia])

    const isAdded = await storage.imports.addStaged(3)

    assert.equal(isAdded, true)
    assert.deepEqual(await allPets(storage), [
      { id: 1n, ...mia },
      { id: 2n, ...rex },
      { id: 3n, ...tom },
      { id: 4n, ...mia },
    ])
  })

  test(`${engine.name}: an id assigned by addStaged is not assigned again`, async (t) => {
    const storage = await engine.open(t)
    await storage.imports.stage([rex, tom])
    await storage.imports.addStaged(2)

    const creation = await storage.pets.create(mia)

    assert.deepEqual(creation, { outcome: 'created', pet: { id: 3n, ...mia } })
  })

  test(`${engine.name}: staged animals are invisible`, async (t) => {
    const storage = await engine.open(t)

    await storage.imports.stage([rex, tom])

    assert.deepEqual(await allPets(storage), [])
    assert.equal(await storage.pets.count({}), 0n)
  })

  test(`${engine.name}: closing the storage discards staged animals`, async (t) => {
    const url = await engine.url(t)
    const before = await openStorage(url)
    await before.imports.stage([rex])
    await before.close()

    const after = await openStorage(url)
    t.after(() => after.close())
    await after.imports.addStaged(0)

    assert.deepEqual(await allPets(after), [])
  })

  test(`${engine.name}: addStaged adds an animal once`, async (t) => {
    const storage = await engine.open(t)
    await storage.imports.stage([rex])
    await storage.imports.addStaged(1)

    await storage.imports.addStaged(0)

    assert.deepEqual(await allPets(storage), [{ id: 1n, ...rex }])
  })

  test(`${engine.name}: addStaged adds nothing when nothing is staged`, async (t) => {
    const storage = await engine.open(t)

    assert.equal(await storage.imports.addStaged(0), true)
    assert.deepEqual(await allPets(storage), [])
  })

  for (const count of [0, 1, 3]) {
    test(`${engine.name}: addStaged of ${count} animals rejects and adds nothing when 2 are staged`, async (t) => {
      const storage = await engine.open(t)
      await storage.imports.stage([rex, tom])

      await assert.rejects(
        storage.imports.addStaged(count, { source: 'file', from: 0, to: 3, last: true }),
        isUnavailable,
      )

      assert.deepEqual(await allPets(storage), [])
      assert.equal(await storage.imports.progress('file'), undefined)
    })
  }

  for (const [what, failing] of Object.entries<(storage: Storage) => Promise<unknown>>({
    'addStaged failed': async ({ imports }) => {
      await imports.stage([rex, { ...tom, status: 'lost' } as unknown as NewPet])
      await assert.rejects(imports.addStaged(2))
    },
    'addStaged found too few': async ({ imports }) => {
      await imports.stage([rex])
      await assert.rejects(imports.addStaged(2))
    },
    'stage failed': async ({ imports }) => {
      await imports.stage([rex])
      await assert.rejects(imports.stage([{ ...tom, categoryId: 'none' } as unknown as NewPet]))
    },
    'a step was refused': async ({ imports }) => {
      await imports.stage([rex])
      assert.equal(await imports.addStaged(1, { source: 'file', from: 5, to: 6, last: false }), false)
    },
  })) {
    test(`${engine.name}: nothing is staged after ${what}`, async (t) => {
      const storage = await engine.open(t)
      await failing(storage)

      await storage.imports.stage([mia])
      await storage.imports.addStaged(1)

      assert.deepEqual(await allPets(storage), [{ id: 1n, ...mia }])
    })
  }

  test(`${engine.name}: added animals are counted`, async (t) => {
    const storage = await engine.open(t)
    await storage.imports.stage([rex, tom, mia])

    await storage.imports.addStaged(3)

    assert.equal(await storage.pets.count({}), 3n)
    assert.equal(await storage.pets.count({ categoryId: 1n, status: 'sold' }), 1n)
  })

  test(`${engine.name}: staging keeps every int64 and name exact`, async (t) => {
    const storage = await engine.open(t)
    const names = [' x ', '=1+1', 'a\nb', '"', "';--", '\ufeffBOM', '🐇', 'e\u0301', '\u202eabc', 'x'.repeat(1000)]
    const pets = [int64Min, 0n, int64Max].flatMap((categoryId) => names.map((name) => ({ name, categoryId })))
    await storage.imports.stage(pets)

    await storage.imports.addStaged(pets.length)

    const { items } = await storage.pets.list({}, 100, 0n)
    assert.deepEqual(
      items.map(({ name, categoryId }) => ({ name, categoryId })),
      pets,
    )
  })

  test(`${engine.name}: a failed addStaged adds no animals and records no step`, async (t) => {
    const storage = await engine.open(t)
    await storage.imports.stage([rex, { ...tom, status: 'lost' } as unknown as NewPet, mia])

    await assert.rejects(storage.imports.addStaged(3, { source: 'file', from: 0, to: 3, last: true }))

    assert.deepEqual(await allPets(storage), [])
    assert.equal(await storage.imports.progress('file'), undefined)
  })

  test(`${engine.name}: progress is the latest step of a source`, async (t) => {
    const { imports } = await engine.open(t)

    const unknown = await imports.progress('file')
    await imports.addStaged(0, { source: 'file', from: 0, to: 5_000, last: false })
    const begun = await imports.progress('file')
    await imports.addStaged(0, { source: 'file', from: 5_000, to: 7_000, last: true })
    const ended = await imports.progress('file')

    assert.deepEqual(
      [unknown, begun, ended],
      [undefined, { rows: 5_000, finished: false }, { rows: 7_000, finished: true }],
    )
    assert.equal(await imports.progress('another file'), undefined)
  })

  for (const [what, from] of Object.entries({
    'that begins anew': 0,
    'that repeats rows': 3_000,
    'that skips rows': 6_000,
  })) {
    test(`${engine.name}: a step ${what} in the middle of an import adds nothing`, async (t) => {
      const storage = await engine.open(t)
      await storage.imports.addStaged(0, { source: 'file', from: 0, to: 5_000, last: false })
      await storage.imports.stage([rex])

      const isAdded = await storage.imports.addStaged(1, { source: 'file', from, to: 10_000, last: false })

      assert.equal(isAdded, false)
      assert.deepEqual(await allPets(storage), [])
      assert.deepEqual(await storage.imports.progress('file'), { rows: 5_000, finished: false })
    })
  }

  test(`${engine.name}: a step of an unknown import adds nothing`, async (t) => {
    const storage = await engine.open(t)
    await storage.imports.stage([rex])

    const isAdded = await storage.imports.addStaged(1, { source: 'file', from: 5_000, to: 10_000, last: false })

    assert.equal(isAdded, false)
    assert.deepEqual(await allPets(storage), [])
  })

  test(`${engine.name}: a finished import may start again`, async (t) => {
    const { imports } = await engine.open(t)
    await imports.addStaged(0, { source: 'file', from: 0, to: 7_000, last: true })

    const isAdded = await imports.addStaged(0, { source: 'file', from: 0, to: 5_000, last: false })

    assert.equal(isAdded, true)
    assert.deepEqual(await imports.progress('file'), { rows: 5_000, finished: false })
  })

  test(`${engine.name}: an unfinished import may start again after forget`, async (t) => {
    const { imports } = await engine.open(t)
    await imports.addStaged(0, { source: 'file', from: 0, to: 5_000, last: false })

    await imports.forget('file')

    assert.equal(await imports.progress('file'), undefined)
    assert.equal(await imports.addStaged(0, { source: 'file', from: 0, to: 5_000, last: false }), true)
  })

  test(`${engine.name}: imports of different sources are independent`, async (t) => {
    const { imports } = await engine.open(t)
    await imports.addStaged(0, { source: 'one', from: 0, to: 5_000, last: false })
    await imports.addStaged(0, { source: 'two', from: 0, to: 100, last: true })

    await imports.forget('two')

    assert.deepEqual(await imports.progress('one'), { rows: 5_000, finished: false })
  })

  test(`${engine.name}: addStaged leaves an event for each animal, in order, like create`, async (t) => {
    const at = Date.UTC(2030, 0, 1)
    const { events, imports, pets } = await engine.open(t, () => at)
    await pets.create(mia)
    await imports.stage([rex, tom, mia])

    await imports.addStaged(3)

    const { items } = await pets.list({}, 20, 0n)
    assert.deepEqual(
      (await events.list(20)).items,
      items.map((pet) => ({ id: pet.id, type: 'pet.created', subject: pet.id, at, data: encodePet(pet) })),
    )
  })

  test(`${engine.name}: the event of an imported animal has its exact JSON, for every name`, async (t) => {
    const { events, imports, pets } = await engine.open(t)
    const named = everyName().map((name, index) => ({ ...rex, name, categoryId: BigInt(index) - 99n }))
    await imports.stage(named)

    await imports.addStaged(named.length)

    const { items } = await pets.list({}, 1_000, 0n)
    assert.deepEqual(
      (await events.list(1_000)).items.map(({ data }) => data),
      items.map(encodePet),
    )
  })

  test(`${engine.name}: the event of an imported animal has every digit of an int64`, async (t) => {
    const { events, imports } = await engine.open(t)
    await imports.stage([int64Min, 2n ** 53n + 1n, int64Max].map((categoryId) => ({ ...tom, categoryId })))

    await imports.addStaged(3)

    assert.deepEqual(
      (await events.list(20)).items.map(({ data }) => data),
      [
        '{"id":1,"name":"Tom","categoryId":-9223372036854775808}',
        '{"id":2,"name":"Tom","categoryId":9007199254740993}',
        '{"id":3,"name":"Tom","categoryId":9223372036854775807}',
      ],
    )
  })

  test(`${engine.name}: addStaged after the highest animal was removed leaves events of its own animals only`, async (t) => {
    const { events, imports, pets } = await engine.open(t)
    await pets.create(mia)
    await pets.create(mia)
    await pets.remove(2n)
    await imports.stage([rex, tom])

    await imports.addStaged(2)

    const { items } = await events.list(20, 3n)
    assert.deepEqual(
      items.map(({ id, subject }) => [id, subject]),
      [
        [4n, 3n],
        [5n, 4n],
      ],
    )
  })

  test(`${engine.name}: a failed or empty addStaged leaves no event`, async (t) => {
    const { events, imports } = await engine.open(t)
    await imports.addStaged(0)
    await imports.stage([rex])
    const isAdded = await imports.addStaged(1, { source: 'file', from: 5, to: 6, last: true })
    await imports.stage([{ ...tom, status: 'lost' } as unknown as NewPet])

    await assert.rejects(imports.addStaged(1))

    assert.equal(isAdded, false)
    assert.equal((await events.latest()).id, 0n)
  })
}

for (const [what, next] of Object.entries<(storage: Storage) => Promise<unknown>>({
  stage: ({ imports }) => imports.stage([mia]),
  addStaged: ({ imports }) => imports.addStaged(2, { source: 'file', from: 0, to: 2, last: true }),
})) {
  test(`postgres: ${what} rejects if the session with the staged animals is lost, and later imports succeed`, async (t) => {
    const url = await postgres.url(t)
    const storage = await openStorage(url)
    t.after(() => storage.close())
    await storage.imports.stage([rex, tom])
    await runSql(
      url,
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'idle in transaction'`,
    )

    await assert.rejects(next(storage), isUnavailable)

    assert.equal(await storage.imports.progress('file'), undefined)
    await storage.imports.stage([mia])
    await storage.imports.addStaged(1)
    assert.deepEqual(await allPets(storage), [{ id: 1n, ...mia }])
  })
}

function isUnavailable(error: unknown): boolean {
  return error instanceof PetStoreError && error.code === 'unavailable' && !error.mayHaveSucceeded
}

async function allPets({ pets }: Storage) {
  return (await pets.list({}, 1_000, 0n)).items
}

/**
 * Every character below U+0250 but NUL, a few to a name, and some above that JSON, SQL or JavaScript treat in a special
 * way.
 */
function everyName(): string[] {
  const low = Array.from({ length: 0x250 - 1 }, (_none, index) => String.fromCodePoint(index + 1))
  const names: string[] = []
  while (low.length > 0) names.push(low.splice(0, 8).join(''))
  return [
    ...names,
    '\u2028\u2029',
    '\ufeff\ufffe\uffff',
    '👩‍👩‍👧‍👦 \u{10ffff}',
    'e\u0301',
    '\\u0041\\"',
    '"""',
    '🐕'.repeat(1000),
  ]
}
