import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { unavailable } from '../../src/inventory/errors.ts'
import type { Pets } from '../../src/inventory/pets.ts'
import { openStorage } from '../../src/storage/open.ts'
import { startApp, startAppOn } from '../support/app.ts'
import { engines, sqlite, sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { countAnimals, idOf, rex, tom } from '../support/idempotent-requests.ts'

test('while the first request is in flight, the same key is a conflict', async (t) => {
  const { create, send, lock, release } = await startWithLock(t)
  const headers = { 'idempotency-key': 'a' }
  lock()

  const both = [create(rex, headers), create(rex, headers)]
  const refused = await Promise.race(both)
  const otherBody = await create(tom, headers)
  release()
  const answers = await Promise.all(both)
  const after = await create(rex, headers)

  assertError(refused, 'conflict')
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assertError(otherBody, 'conflict')
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 409]))
  assert.equal(after.headers.get('idempotent-replayed'), 'true')
  assert.equal(await countAnimals(send), 1)
})

test('while a request is in flight, other keys and other clients do not get a conflict', async (t) => {
  const { create, makeKey, lock, release } = await startWithLock(t)
  const { secret } = await makeKey()
  lock()
  const both = [create(rex, { 'idempotency-key': 'a' }), create(rex, { 'idempotency-key': '"a"' })]
  assertError(await Promise.race(both), 'conflict')

  const others = [
    create(rex, { 'idempotency-key': 'b' }),
    create(rex, { 'idempotency-key': 'a', authorization: `Bearer ${secret}` }),
    create(rex),
  ]
  release()
  const answers = await Promise.all(others)
  await Promise.all(both)

  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  )
})

test('a failed request is not remembered and not in flight', async (t) => {
  const storage = await sqliteInMemory.open(t)
  let broken = true
  const pets: Pets = {
    ...storage.pets,
    create: (pet, idempotencyKey) =>
      broken ? Promise.reject(unavailable('Not now.')) : storage.pets.create(pet, idempotencyKey),
  }
  const { create } = await startApp(t, { storage: { ...storage, pets } })
  const headers = { 'idempotency-key': 'a' }

  const failed = await create(rex, headers)
  broken = false
  const answer = await create(tom, headers)

  assertError(failed, 'unavailable')
  assert.equal(answer.text, '{"id":1,"name":"Tom","categoryId":1}')
  assert.equal(answer.headers.get('idempotent-replayed'), null)
})

test('two services on one file create one animal for one key', async (t) => {
  const url = await sqlite.url(t)
  const [one, two] = [await startAppOn(t, url), await startAppOn(t, url)]
  const headers = { 'idempotency-key': 'a', authorization: `Bearer ${one.key}` }

  const answers = await Promise.all([one.create(rex, headers), two.create(rex, headers)])

  assert.deepEqual(answers.map(idOf), [1, 1])
  assert.deepEqual(new Set(answers.map((answer) => answer.headers.get('idempotent-replayed'))), new Set([null, 'true']))
  assert.equal(await countAnimals(two.send), 1)
})

for (const engine of engines) {
  test(`${engine.name}: 50 concurrent requests with one key create exactly one animal`, async (t) => {
    const { create, send } = await startApp(t, { engine })

    const answers = await Promise.all(Array.from({ length: 50 }, () => create(rex, { 'idempotency-key': 'a' })))

    const created = answers.filter(({ status }) => status === 201)
    for (const answer of answers.filter(({ status }) => status !== 201)) assertError(answer, 'conflict')
    assert.deepEqual(new Set(created.map(idOf)), new Set([1]))
    assert.equal(created.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
    assert.equal(await countAnimals(send), 1)
  })
}

/** The service on a database file whose write lock the test can hold, so that writes wait. */
async function startWithLock(t: TestContext) {
  const url = await sqlite.url(t)
  const storage = await openStorage(url)
  const app = await startApp(t, { storage })
  const db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5000 })
  t.after(async () => {
    db.close()
    await storage.close()
  })
  return { ...app, lock: () => db.exec('BEGIN IMMEDIATE'), release: () => db.exec('ROLLBACK') }
}
