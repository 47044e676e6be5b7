import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { unknownIds } from '../support/unknown-ids.ts'

test('getOrder returns the order with the id', async (t) => {
  const { create, sendJson, send } = await startApp(t)
  for (const name of ['Rex', 'Tom']) await create({ name, categoryId: 1, status: 'available' })
  await sendJson('POST /v1/store/orders', { petId: 1 })
  const placed = await sendJson('POST /v1/store/orders', { petId: 2 })

  const answer = await send('/v1/store/orders/2')

  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
  assert.equal(answer.headers.get('stability'), 'beta')
  assert.equal(answer.text, placed.text)
})

test('getOrder returns the current order', async (t) => {
  const { create, sendJson, send } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  const placed = await sendJson('POST /v1/store/orders', { petId: 1 })
  const closed = await sendJson('PATCH /v1/store/orders/1', { status: 'completed' })
  await send('/v1/pets/1', { method: 'DELETE' })

  const answer = await send('/v1/store/orders/1')

  assert.equal(answer.text, closed.text)
  assert.notEqual(answer.headers.get('etag'), placed.headers.get('etag'))
})

for (const baseUrl of [undefined, 'https://petstore.example/v1']) {
  test(`Location of a placed order is its address, below ${baseUrl ?? 'the address that was used'}`, async (t) => {
    const { create, sendJson, origin, send } = await startApp(t, baseUrl ? { baseUrls: { production: baseUrl } } : {})
    await create({ name: 'Rex', categoryId: 1, status: 'available' })

    const first = await sendJson('POST /v1/store/orders', { petId: 1 }, { 'idempotency-key': 'a' })
    const replayed = await sendJson('POST /v1/store/orders', { petId: 1 }, { 'idempotency-key': 'a' })

    assert.equal(first.headers.get('location'), `${baseUrl ?? `${origin}/v1`}/store/orders/1`)
    assert.equal(replayed.headers.get('location'), first.headers.get('location'))
    assert.equal((await send('/v1/store/orders/1')).headers.get('etag'), first.headers.get('etag'))
  })
}

test('getOrder returns 404 unless the id is the canonical decimal of a stored one', async (t) => {
  const { create, sendJson, send } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  await sendJson('POST /v1/store/orders', { petId: 1 })

  for (const [what, id] of Object.entries(unknownIds))
    await t.test(what, async () => assertError(await send(`/v1/store/orders/${id}`), 'not_found'))
  for (const id of ['1', '%31']) assert.equal((await send(`/v1/store/orders/${id}`)).status, 200)
})

test('HEAD of an order has the headers of GET and no body', async (t) => {
  const { create, sendJson, send } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  await sendJson('POST /v1/store/orders', { petId: 1 })

  const [get, head] = [await send('/v1/store/orders/1'), await send('/v1/store/orders/1', { method: 'HEAD' })]

  assert.equal(head.status, 200)
  assert.equal(head.text, '')
  for (const name of ['etag', 'content-length', 'content-type', 'stability'])
    assert.equal(head.headers.get(name), get.headers.get(name), name)
})

test('a read key can read an order', async (t) => {
  const { create, sendJson, send, makeKey } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  await sendJson('POST /v1/store/orders', { petId: 1 })
  const { secret } = await makeKey({ permission: 'read' })

  const answer = await send('/v1/store/orders/1', { headers: { authorization: `Bearer ${secret}` } })

  assert.equal(answer.status, 200)
})
