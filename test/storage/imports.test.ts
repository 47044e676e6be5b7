import assert from 'node:assert/strict'
import { test } from 'node:test'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import type { NewPet } from '../../src/contract/pet.ts'
import { PetStoreError } from '../../src/inventory/errors.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { engines, postgres } from '../support/engines.ts'
import { runSql } from '../support/postgres-databases.ts'
import { allPets, first, key, lost, mia, rex, second, tom } from '../support/stored-imports.ts'

for (const engine of engines) {
  test(`${engine.name}: add adds its animals with ids in order, counts them and leaves events with the author`, async (t) => {
    const { imports, pets, events } = await engine.open(t)
    await pets.create(mia)

    assert.equal(await imports.add([rex, tom], undefined, '{"keyName":"Desk"}'), true)

    assert.deepEqual((await pets.list({}, 10, 0n)).items, [
      { id: 1n, ...mia },
      { id: 2n, ...rex },
      { id: 3n, ...tom },
    ])
    assert.equal(await pets.count({}), 3n)
    assert.equal(await pets.count({ categoryId: 1n, status: 'sold' }), 1n)
    const { items } = await events.list(10, 1n)
    assert.deepEqual(
      items.map(({ type, subject, author }) => [type, subject, author]),
      [
        ['pet.created', 2n, '{"keyName":"Desk"}'],
        ['pet.created', 3n, '{"keyName":"Desk"}'],
      ],
    )
  })

  test(`${engine.name}: add takes parts that are still being read, and keeps their order`, async (t) => {
    const storage = await engine.open(t)
    const many = Array.from({ length: 12_000 }, (_none, index) => ({ name: `pet ${index}`, categoryId: 1n }))
    const parts = [[mia], many, [], [rex, tom]]

    assert.equal(await storage.imports.add(partsOf(parts)), true)

    const ids = Array.from({ length: 12_003 }, (_none, index) => BigInt(index + 1))
    const { items } = await storage.pets.list({}, 20_000, 0n)
    assert.deepEqual(
      items,
      parts.flat().map((pet, index) => ({ id: ids[index], ...pet })),
    )
  })

  test(`${engine.name}: the step is asked for when all parts are read`, async (t) => {
    const storage = await engine.open(t)
    let read = 0

    await storage.imports.add(
      partsOf([[rex], [tom]], () => void read++),
      () => ({ ...first, body: `{"rows":${read}}` }),
    )

    assert.deepEqual(await storage.imports.stepOf(key), { fingerprint: 'one', body: '{"rows":2}' })
  })

  test(`${engine.name}: an id that an import has assigned is not assigned again`, async (t) => {
    const storage = await engine.open(t)
    await storage.imports.add([rex, tom])

    const creation = await storage.pets.create(mia)

    assert.deepEqual(creation, { outcome: 'created', pet: { id: 3n, ...mia } })
  })

  test(`${engine.name}: animals are invisible until all are read`, async (t) => {
    const storage = await engine.open(t)
    const seen: bigint[] = []

    await storage.imports.add(
      partsOf([many(6_000), many(6_000)], async () => void seen.push(await storage.pets.count({}))),
    )

    assert.deepEqual(seen, [0n, 0n])
    assert.equal(await storage.pets.count({}), 12_000n)
  })

  test(`${engine.name}: animals whose import is not complete are gone with the storage`, async (t) => {
    const url = await engine.url(t)
    const before = await openStorage(url)
    const read = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const adding = before.imports.add(
      partsOf([many(6_000), [rex]], async () => {
        read.resolve()
        await closed.promise
      }),
    )
    await read.promise
    await before.close()
    closed.resolve()
    await assert.rejects(adding, isUnavailable)

    const after = await openStorage(url)
    t.after(() => after.close())

    assert.equal(await after.pets.count({}), 0n)
  })

  test(`${engine.name}: an import of nothing adds nothing`, async (t) => {
    const storage = await engine.open(t)

    assert.deepEqual([await storage.imports.add([]), await storage.imports.add(partsOf([]))], [true, true])
    assert.deepEqual(await allPets(storage), [])
  })

  for (const [what, failing] of Object.entries<(storage: Storage) => Promise<unknown>>({
    'that cannot be stored': ({ imports }) => assert.rejects(imports.add([rex, lost, mia], () => first)),
    'whose last part cannot be stored': ({ imports }) =>
      assert.rejects(imports.add(partsOf([many(6_000), [lost]]), () => first)),
    'whose part cannot be sent': ({ imports }) =>
      assert.rejects(
        imports.add(partsOf([many(6_000), [{ ...tom, categoryId: 'x' } as unknown as NewPet]]), () => first),
      ),
    'whose step is refused': async ({ imports }) =>
      assert.equal(await imports.add(partsOf([many(6_000), [rex]]), () => second), false),
    'that is not read to its end': ({ imports }) =>
      assert.rejects(
        imports.add(
          partsOf([many(6_000), [rex]], async () => {
            throw new Error('The disk is gone.')
          }),
          () => first,
        ),
        /^Error: The disk is gone\.$/,
      ),
  })) {
    test(`${engine.name}: an import ${what} adds nothing, stores no step, and leaves nothing to the next one`, async (t) => {
      const storage = await engine.open(t)
      await failing(storage)

      const step = await storage.imports.stepOf(key)
      await storage.imports.add([mia], () => first)

      assert.equal(step, undefined)
      assert.deepEqual(await allPets(storage), [{ id: 1n, ...mia }])
    })
  }

  test(`${engine.name}: many imports add at once, and none meets what another one has staged`, async (t) => {
    const storage = await engine.open(t)
    const imported = Array.from({ length: 5 }, (_none, index) => [rex, { ...tom, categoryId: BigInt(index) }])

    await Promise.all([
      storage.imports.add(partsOf([many(6_000), [mia]])),
      ...imported.map((pets) => storage.imports.add(pets)),
      storage.imports.add(many(6_000)),
    ])

    assert.equal(await storage.pets.count({}), 12_011n)
    assert.equal(await storage.pets.count({ categoryId: 4n }), 1n)
  })

  test(`${engine.name}: every int64 and name stays exact`, async (t) => {
    const storage = await engine.open(t)
    const names = [' x ', '=1+1', 'a\nb', '"', "';--", '\ufeffBOM', '🐇', 'e\u0301', '\u202eabc', 'x'.repeat(1000)]
    const pets = [int64Min, 0n, int64Max].flatMap((categoryId) => names.map((name) => ({ name, categoryId })))
    await storage.imports.add(pets)

    const { items } = await storage.pets.list({}, 100, 0n)
    assert.deepEqual(
      items.map(({ name, categoryId }) => ({ name, categoryId })),
      pets,
    )
  })
}

for (const [when, rest] of Object.entries({ 'before its last part': [mia], 'before it is added': [] })) {
  test(`postgres: an import that loses its session ${when} rejects, and later imports succeed`, async (t) => {
    const url = await postgres.url(t)
    const storage = await openStorage(url)
    t.after(() => storage.close())
    async function* parts(): AsyncGenerator<NewPet[]> {
      yield [rex, tom]
      await runSql(
        url,
        `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
           WHERE datname = current_database() AND state = 'idle in transaction'`,
      )
      if (rest.length > 0) yield rest
    }

    await assert.rejects(
      storage.imports.add(parts(), () => first),
      isUnavailable,
    )

    assert.equal(await storage.imports.stepOf(key), undefined)
    await storage.imports.add([mia])
    assert.deepEqual(await allPets(storage), [{ id: 1n, ...mia }])
  })
}

test('postgres: an import can end its step of the event loop after each animal', async (t) => {
  const storage = await postgres.open(t)
  let nowMs = 0
  const clock = t.mock.method(performance, 'now', () => (nowMs += 1_000))

  await storage.imports.add(many(100))
  clock.mock.restore()

  assert.ok(clock.mock.callCount() >= 100, `${clock.mock.callCount()} looks at the time`)
  assert.equal(await storage.pets.count({}), 100n)
})

/** `readNext` is awaited before each part but the first, and before the end. */
async function* partsOf(
  parts: readonly (readonly NewPet[])[],
  readNext: () => Promise<void> | void = () => undefined,
): AsyncGenerator<readonly NewPet[]> {
  for (const part of parts) {
    yield part
    await readNext()
  }
}

function many(count: number): NewPet[] {
  return Array.from({ length: count }, () => ({ name: 'Kiwi', categoryId: -1n }))
}

function isUnavailable(error: unknown): boolean {
  return error instanceof PetStoreError && error.code === 'unavailable' && !error.mayHaveSucceeded
}
