import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { engines, sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { noon, startShop } from '../support/order-requests.ts'

for (const engine of engines) {
  test(`${engine.name}: the same Idempotency-Key and body replay the first response and order nothing`, async (t) => {
    const { place, close, send } = await startShop(t, 2, { engine })
    const first = await place(1, { 'idempotency-key': 'a' })
    await close(1, 'cancelled')

    const again = await place(1, { 'idempotency-key': '"a"' })

    assert.equal(first.headers.get('idempotent-replayed'), null)
    assert.equal(again.status, 201)
    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(((await send('/v1/store/orders')).body as unknown[]).length, 1)
  })

  test(`${engine.name}: 50 concurrent requests with one key place one order`, async (t) => {
    const { place, send } = await startShop(t, 1, { engine })

    const answers = await Promise.all(Array.from({ length: 50 }, () => place(1, { 'idempotency-key': 'a' })))

    for (const answer of answers) if (answer.status !== 201) assertError(answer, 'conflict')
    assert.equal(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size, 1)
    assert.equal(((await send('/v1/store/orders')).body as unknown[]).length, 1)
  })
}

test('the same Idempotency-Key with another animal, or for another operation, is a mismatch', async (t) => {
  const { place, create, statusOf } = await startShop(t, 2)
  const headers = { 'idempotency-key': 'a' }
  await place(1, headers)
  await create({ name: 'Rex', categoryId: 1 }, { 'idempotency-key': 'b' })

  assertError(await place(2, headers), 'idempotency_mismatch')
  assertError(await create({ name: 'Rex', categoryId: 1 }, headers), 'idempotency_mismatch')
  assertError(await place(2, { 'idempotency-key': 'b' }), 'idempotency_mismatch')
  assert.equal(await statusOf(2), 'available')
})

test('Idempotency-Keys of orders are scoped to the API key', async (t) => {
  const { place, makeKey } = await startShop(t, 2)
  const authorization = `Bearer ${(await makeKey()).secret}`

  const mine = await place(1, { 'idempotency-key': 'a' })
  const theirs = await place(2, { 'idempotency-key': 'a', authorization })

  assert.deepEqual([mine.status, theirs.status], [201, 201])
})

test('a refused order is not remembered', async (t) => {
  const { place, sendJson } = await startShop(t, 1)
  const headers = { 'idempotency-key': 'a' }
  await sendJson('PATCH /v1/pets/1', { status: 'sold' })
  assertError(await place(1, headers), 'conflict')
  assertError(await place(2, headers), 'conflict')
  await sendJson('PATCH /v1/pets/1', { status: 'available' })

  const answer = await place(1, headers)

  assert.equal(answer.status, 201)
  assert.equal(answer.headers.get('idempotent-replayed'), null)
})

test('an Idempotency-Key of an order is remembered for 24 hours', async (t) => {
  let now = noon
  const { place, close } = await startShop(t, 1, { clock: () => now })
  const headers = { 'idempotency-key': 'a' }
  const first = await place(1, headers)
  await close(1, 'cancelled')

  now += 24 * 60 * 60 * 1000 - 1
  const late = await place(1, headers)
  now += 2
  const tooLate = await place(1, headers)

  assert.equal(late.text, first.text)
  assert.equal((tooLate.body as { id: number }).id, 2)
})

test('placeOrder refuses an invalid Idempotency-Key', async (t) => {
  const { place, statusOf } = await startShop(t, 1)

  for (const key of ['', '""', 'x'.repeat(256), '"a', 'caf\u00e9'])
    assertError(await place(1, { 'idempotency-key': key }), 'invalid_parameter')
  assert.equal(await statusOf(1), 'available')
})

test('while the first request is in flight, the same Idempotency-Key is a conflict', async (t) => {
  const url = await sqlite.url(t)
  const storage = await openStorage(url)
  const { place, send } = await startShop(t, 1, { storage })
  const db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5000 })
  t.after(async () => {
    db.close()
    await storage.close()
  })
  const headers = { 'idempotency-key': 'a' }
  db.exec('BEGIN IMMEDIATE')

  const both = [place(1, headers), place(1, headers)]
  const refused = await Promise.race(both)
  db.exec('ROLLBACK')
  const answers = await Promise.all(both)

  assertError(refused, 'conflict')
  assert.match(refused.text, /in flight/)
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 409]))
  assert.equal(((await send('/v1/store/orders')).body as unknown[]).length, 1)
})
