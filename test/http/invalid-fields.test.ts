import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'

const sharedApp = shareApp()
const strict = { prefer: 'handling=strict' }
const json = { 'content-type': 'application/json' }

for (const [name, start, body, headers, expected] of [
  ['a wrong member', 'POST /v1/pets', '{"name":"","categoryId":1}', {}, 'name'],
  ['a missing and a wrong member', 'POST /v1/pets', '{"status":"x","name":"Rex"}', {}, 'categoryId, status'],
  ['a change', 'PATCH /v1/pets/1', '{"status":"x"}', {}, 'status'],
  ['an order', 'POST /v1/store/orders', '{"note":""}', {}, 'petId, note'],
  ['a time in the past', 'POST /v1/keys', '{"name":"a","expiresAt":"2001-01-01T00:00:00Z"}', {}, 'expiresAt'],
  ['a wrong member beside an invented one', 'POST /v1/pets', '{"name":1,"categoryId":1,"x":1}', strict, 'name'],
  ['wrong parameters', 'GET /v1/pets?limit=0&status=x', undefined, {}, 'limit, status'],
  ['a repeated parameter', 'GET /v1/pets?limit=1&limit=2', undefined, {}, 'limit'],
  ['a cursor', 'GET /v1/pets?cursor=x', undefined, {}, 'cursor'],
  ['a name without a word', 'GET /v1/pets?name=.', undefined, {}, 'name'],
  ['a customer without a word', 'GET /v1/store/orders?customer=.', undefined, {}, 'customer'],
  ['a name of an animal without a word', 'GET /v1/store/orders?petName=.', undefined, {}, 'petName'],
  [
    'parameters that contradict each other',
    'GET /v1/pets?status=sold&without=status',
    undefined,
    {},
    'status, without',
  ],
  ['filters of events', 'GET /v1/events?petId=1&orderId=1', undefined, {}, 'petId, orderId'],
  ['times of events', 'GET /v1/events?from=2027-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', undefined, {}, 'from, to'],
  ['a filter of a stream', 'GET /v1/events?petId=1', undefined, { accept: 'text/event-stream' }, 'petId'],
  [
    'a position of a stream',
    'GET /v1/events',
    undefined,
    { accept: 'text/event-stream', 'last-event-id': 'x' },
    'Last-Event-ID',
  ],
  ['a header', 'POST /v1/pets', '{"name":"Rex","categoryId":1}', { 'idempotency-key': '""' }, 'Idempotency-Key'],
  ['an invented member', 'POST /v1/pets', '{"name":"Rex","categoryId":1,"x":1}', strict, null],
  ['an invented parameter', 'GET /v1/pets?x=1', undefined, strict, null],
  ['a body that is no JSON', 'POST /v1/pets', '{', {}, null],
  ['a query that cannot be read', 'GET /v1/pets?limit=%zz', undefined, {}, null],
] as const) {
  test(`Invalid-Fields names what the document names: ${name}`, async () => {
    const { send } = await sharedApp()
    const [method = '', path = ''] = start.split(' ')
    const init = body === undefined ? { headers } : { body, headers: { ...json, ...headers } }

    const answer = await send(path, { method, ...init })

    assertError(answer, body === undefined || 'idempotency-key' in headers ? 'invalid_parameter' : 'invalid_body')
    assert.equal(answer.headers.get('invalid-fields'), expected)
  })
}

test('other errors have no Invalid-Fields', async () => {
  const { send } = await sharedApp()

  for (const path of ['/v1/pets/999', '/v1/nope']) {
    assert.equal((await send(path)).headers.get('invalid-fields'), null)
  }
})
