import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { unknownIds } from '../support/unknown-ids.ts'

test('createCategory returns 201 with a free id, Location and ETag', async (t) => {
  const { create, sendJson, send } = await startApp(t)
  await create({ name: 'Rex', categoryId: 4 })

  const answer = await sendJson('POST /v1/categories', { name: 'Dogs', id: 9, other: true })

  assert.deepEqual([answer.status, answer.text], [201, '{"id":5,"name":"Dogs"}'])
  const { pathname } = new URL(answer.headers.get('location') ?? '')
  assert.equal(pathname, '/v1/categories/5')
  const read = await send(pathname)
  assert.equal(read.text, answer.text)
  assert.equal(read.headers.get('etag'), answer.headers.get('etag'))
})

test('two new categories may share a name', async (t) => {
  const { sendJson, send } = await startApp(t)

  for (let times = 0; times < 2; times++) await sendJson('POST /v1/categories', { name: 'Dogs' })

  assert.equal((await send('/v1/categories')).text, '[{"id":1,"name":"Dogs"},{"id":2,"name":"Dogs"}]')
})

test('createCategory with the same Idempotency-Key and name replays the first answer', async (t) => {
  const { sendJson, send } = await startApp(t)
  const headers = { 'idempotency-key': 'a' }
  const first = await sendJson('POST /v1/categories', { name: 'Dogs' }, headers)

  const again = await sendJson('POST /v1/categories', { name: 'Dogs' }, headers)
  const other = await sendJson('POST /v1/categories', { name: 'Cats' }, headers)

  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.headers.get('location'), first.headers.get('location'))
  assertError(other, 'idempotency_mismatch')
  assert.equal((await send('/v1/categories')).text, `[${first.text}]`)
})

test('an Idempotency-Key of a category is not one of an animal or an order', async (t) => {
  const { create, sendJson } = await startApp(t)
  const headers = { 'idempotency-key': 'a' }
  await sendJson('POST /v1/categories', { name: 'Dogs' }, headers)

  assertError(await create({ name: 'Dogs', categoryId: 1 }, headers), 'idempotency_mismatch')
  assertError(await sendJson('POST /v1/store/orders', { petId: 1 }, headers), 'idempotency_mismatch')
})

test('createCategory refuses a name that is none', async (t) => {
  const { sendJson, send } = await startApp(t)

  for (const name of ['', ' ', 'a\0b', 'x'.repeat(1001), null, 5, undefined]) {
    const answer = await sendJson('POST /v1/categories', { name })
    assertError(answer, 'invalid_body')
    assert.match((answer.body as { message: string }).message, /^name (is missing: it )?must be a string /)
  }
  assert.equal((await send('/v1/categories')).text, '[]')
})

test('a category that uses the last exact number leaves none for a new one', async (t) => {
  const { sendJson } = await startApp(t)
  await sendJson('PUT /v1/categories/9223372036854775807', { name: 'Lost' })
  const first = await sendJson('POST /v1/categories', { name: 'Dogs' })
  await sendJson(`PUT /v1/categories/${Number.MAX_SAFE_INTEGER - 1}`, { name: 'Last' })

  const answer = await sendJson('POST /v1/categories', { name: 'Cats' })

  assert.equal(first.text, '{"id":1,"name":"Dogs"}')
  assertError(answer, 'conflict')
  assert.equal(answer.headers.get('retry-after'), null)
})

test('deleteCategory removes a category without animals', async (t) => {
  const { sendJson, send } = await startApp(t)
  await sendJson('PUT /v1/categories/-7', { name: 'Dogs' })

  const answer = await send('/v1/categories/-7', { method: 'DELETE' })

  assert.deepEqual([answer.status, answer.text], [204, ''])
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assertError(await send('/v1/categories/-7'), 'not_found')
  assertError(await send('/v1/categories/-7', { method: 'DELETE' }), 'not_found')
})

test('deleteCategory refuses a category that an animal has, and says so', async (t) => {
  const { create, sendJson, send } = await startApp(t)
  const { text } = await sendJson('PUT /v1/categories/1', { name: 'Dogs' })
  await create({ name: 'Rex', categoryId: 1 })

  const answer = await send('/v1/categories/1', { method: 'DELETE' })

  assertError(answer, 'conflict')
  assert.match((answer.body as { message: string }).message, /animal/)
  assert.equal((await send('/v1/categories/1')).text, text)
})

test('deleteCategory returns 404 for anything but the canonical decimal of a category with a name', async (t) => {
  const { create, sendJson, send } = await startApp(t)
  await sendJson('PUT /v1/categories/1', { name: 'Dogs' })
  await create({ name: 'Rex', categoryId: 2 })

  for (const [what, id] of Object.entries(unknownIds))
    await t.test(what, async () => assertError(await send(`/v1/categories/${id}`, { method: 'DELETE' }), 'not_found'))
})

test('a key that may only read neither adds nor removes a category', async (t) => {
  const { sendJson, send, makeKey } = await startApp(t)
  const { text } = await sendJson('PUT /v1/categories/1', { name: 'Dogs' })
  const headers = { authorization: `Bearer ${(await makeKey({ permission: 'read' })).secret}` }

  assertError(await sendJson('POST /v1/categories', { name: 'Cats' }, headers), 'forbidden')
  assertError(await send('/v1/categories/1', { method: 'DELETE', headers }), 'forbidden')
  assert.equal((await send('/v1/categories')).text, `[${text}]`)
})
