import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewPet } from '../../src/contract/pet.ts'
import type { NewApiKey } from '../../src/inventory/keys.ts'
import type { IdempotencyKey } from '../../src/inventory/idempotency-key.ts'
import { postgres, sqlite, sqliteInMemory } from '../support/engines.ts'

const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }
const idempotencyKey: IdempotencyKey = { keyId: 'key_a', name: 'first try', fingerprint: 'of Rex' }
const till: NewApiKey = { id: 'key_till', name: 'till', permission: 'write', hash: 'hash of till', createdAt: 1_000 }
const site: NewApiKey = { id: 'key_site', name: 'site', permission: 'read', hash: 'hash of site', createdAt: 2_000 }

for (const engine of [sqlite, sqliteInMemory]) {
  test(`${engine.name}: version changes with every new animal`, async (t) => {
    const { pets, version } = await engine.open(t)
    const versions = [version()]

    for (let added = 0; added < 10; added++) {
      await pets.create(rex)
      versions.push(version())
    }

    assert.equal(new Set(versions).size, 11)
  })

  test(`${engine.name}: version changes with every change of the shop`, async (t) => {
    const { pets, orders, categories, events, version } = await engine.open(t)
    await pets.create(rex)
    const changes = [
      () => pets.update(1n, { name: 'Max' }),
      () => orders.place({ petId: 1n }),
      () => orders.update(1n, { note: 'Saturday' }),
      () => orders.update(1n, { status: 'completed' }),
      () => pets.remove(1n),
      () => categories.put({ id: 1n, name: 'Dogs' }),
      () => categories.create({ name: 'Cats' }),
      () => categories.remove(1n),
      () => events.forget(Date.now() + 60_000),
    ]
    const versions = [version()]

    for (const change of changes) {
      await change()
      versions.push(version())
    }

    assert.equal(new Set(versions).size, changes.length + 1)
  })

  test(`${engine.name}: reading animals does not change version`, async (t) => {
    const { pets, version } = await engine.open(t)
    await pets.create(rex)
    const before = version()

    await pets.list({ status: 'sold' }, 2, 0n)
    await pets.count({})
    await pets.find(1n)

    assert.equal(version(), before)
  })

  for (const fingerprint of [idempotencyKey.fingerprint, 'of Tom']) {
    const outcome = fingerprint === idempotencyKey.fingerprint ? 'replay' : 'mismatch'
    test(`${engine.name}: version does not change after a ${outcome}, which commits nothing`, async (t) => {
      const { pets, version } = await engine.open(t)
      await pets.create(rex, idempotencyKey)
      const before = version()

      await pets.create(rex, { ...idempotencyKey, fingerprint })

      assert.equal(version(), before)
    })
  }

  test(`${engine.name}: version changes with every change of a key`, async (t) => {
    const { keys, version } = await engine.open(t)
    const versions = [version()]
    const changes = [
      () => keys.create(till),
      () => keys.touch(new Map([[till.id, 5_000]])),
      () => keys.rotate(till.id, site, 5_000),
      () => keys.revoke(till.id, 5_000),
    ]

    for (const change of changes) {
      await change()
      versions.push(version())
    }

    assert.equal(new Set(versions).size, 5)
  })

  test(`${engine.name}: reading keys does not change version`, async (t) => {
    const { keys, version } = await engine.open(t)
    await keys.create(till)
    const before = version()

    await keys.find(till.hash)
    await keys.list()

    assert.equal(version(), before)
  })

  test(`${engine.name}: a refused key does not change version`, async (t) => {
    const { keys, version } = await engine.open(t)
    await keys.create(till)
    const before = version()

    await assert.rejects(keys.create(till))

    assert.equal(version(), before)
  })

  test(`${engine.name}: version changes with an import`, async (t) => {
    const { imports, version } = await engine.open(t)
    const before = version()
    await imports.add([rex])

    assert.notEqual(version(), before)
  })
}

for (const engine of [postgres]) {
  test(`${engine.name}: version is NaN, so that nothing is cached`, async (t) => {
    const { pets, version } = await engine.open(t)
    const before = version()
    await pets.create(rex)

    assert.deepEqual([before, version()], [Number.NaN, Number.NaN])
  })
}
