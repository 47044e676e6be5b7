import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PetStoreError } from '../../src/inventory/errors.ts'
import type { NewPet, PetChange } from '../../src/contract/pet.ts'
import { runSql } from '../support/postgres-databases.ts'
import { opened, rex, till } from '../support/postgres-groups.ts'

test('postgres: a group is one transaction', async (t) => {
  const { storage, url } = await opened(t)
  await storage.pets.create(rex)

  const [before] = await runSql(url, 'SELECT xmin::text FROM counters')
  await Promise.all(Array.from({ length: 50 }, () => storage.pets.create(rex)))
  const transactions = await runSql(url, 'SELECT DISTINCT xmin::text FROM pets WHERE id > 1')

  assert.equal(transactions.length, 1)
  assert.notDeepEqual(transactions[0], before)
})

test('postgres: one bad write in a group fails alone, without a gap in the ids', async (t) => {
  const { storage } = await opened(t)
  await storage.keys.create(till)

  const results = await Promise.allSettled([
    storage.pets.create(rex),
    storage.keys.create(till),
    storage.pets.create({ ...rex, status: 'lost' } as unknown as NewPet),
    storage.pets.create(rex),
  ])

  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(
    (await storage.pets.list({}, 20, 0n)).items.map(({ id }) => id),
    [1n, 2n],
  )
})

test('postgres: one bad change in a group fails alone and the rest commit, without a gap in the events', async (t) => {
  const { storage, url } = await opened(t)
  for (let created = 0; created < 4; created++) await storage.pets.create(rex)

  const results = await Promise.allSettled([
    storage.pets.update(1n, { name: 'Max' }),
    storage.pets.update(2n, { status: 'lost' } as unknown as PetChange),
    storage.orders.place({ petId: 3n }),
    storage.pets.remove(4n),
  ])

  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual(await runSql(url, 'SELECT id::int, type FROM events WHERE id > 4 ORDER BY id'), [
    [5, 'pet.updated'],
    [6, 'pet.updated'],
    [7, 'order.placed'],
    [8, 'pet.deleted'],
  ])
})

test('postgres: writes of a group see what those before them changed', async (t) => {
  const { storage, url } = await opened(t)
  await storage.pets.create(rex)
  await storage.orders.place({ petId: 1n })
  const key = { keyId: 'key_a', name: 'once', fingerprint: 'x' }

  const results = await Promise.all([
    storage.orders.update(1n, { status: 'cancelled' }),
    storage.orders.place({ petId: 1n }, key),
    storage.orders.place({ petId: 1n }, key),
    storage.pets.update(1n, { status: 'sold' }),
    storage.orders.update(2n, { status: 'completed' }),
    storage.pets.create(rex, { ...key, name: 'twice' }),
    storage.pets.update(2n, { name: 'Max' }),
    storage.pets.remove(2n),
    storage.pets.remove(1n),
  ])

  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['updated', 'placed', 'replayed', 'ordered', 'updated', 'created', 'updated', 'removed', 'removed'],
  )
  assert.deepEqual(await runSql(url, 'SELECT count(DISTINCT xmin::text)::int FROM orders'), [[1]])
  assert.deepEqual(await runSql(url, 'SELECT id::int, status FROM orders ORDER BY id'), [
    [1, 'cancelled'],
    [2, 'completed'],
  ])
  assert.equal(await storage.pets.count({}), 0n)
  assert.deepEqual(await storage.pets.create(rex), { outcome: 'created', pet: { id: 3n, ...rex } })
})

test('postgres: a stored response that cannot be read fails its own replay and no other write', async (t) => {
  const { storage, url } = await opened(t)
  const key = { keyId: 'key_a', name: 'once', fingerprint: 'x' }
  await storage.pets.create(rex, key)
  await runSql(url, "UPDATE idempotency_records SET response = 'not JSON'")

  const results = await Promise.allSettled([storage.pets.create(rex, key), storage.pets.update(1n, { name: 'Max' })])

  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
  assert.equal((await storage.pets.find(1n))?.name, 'Max')
})

test('postgres: a constraint violation is a bug, not unavailable', async (t) => {
  const { storage } = await opened(t)
  await storage.keys.create(till)

  await assert.rejects(storage.keys.create(till), (error) => !(error instanceof PetStoreError))
})

test('postgres: a name with NUL is not stored as another name', async (t) => {
  const { storage } = await opened(t)

  await assert.rejects(storage.pets.create({ ...rex, name: 'R\0x' }))

  assert.equal(await storage.pets.count({}), 0n)
  assert.deepEqual(await storage.pets.create(rex), { outcome: 'created', pet: { id: 1n, ...rex } })
})

test('postgres: a stored row that cannot be read fails only the write that needs it', async (t) => {
  const { storage, url } = await opened(t)
  for (const _ of [1, 2]) await storage.pets.create(rex)
  await storage.orders.place({ petId: 1n })
  await runSql(url, `UPDATE orders SET placed_at = ${2n ** 62n}`)

  const [damaged, placed, created] = await Promise.allSettled([
    storage.orders.update(1n, { note: 'Collects on Saturday.' }),
    storage.orders.place({ petId: 2n }),
    storage.pets.create(rex),
  ])

  const { message } = (damaged as PromiseRejectedResult).reason as Error
  assert.equal(message, `The order 1 cannot be read: placed_at, ${2n ** 62n}, is not a time.`)
  assert.deepEqual([placed.status, created.status], ['fulfilled', 'fulfilled'])
  assert.equal((await storage.pets.create(rex)).outcome, 'created')
})
