import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRoute, refuseUnknown } from '../../../src/http/gates/known-paths.ts'
import type { Route } from '../../../src/http/exchange.ts'
import { openRoute } from '../../../src/http/route.ts'
import { routeTable } from '../../../src/http/route-table.ts'
import { makeExchange } from '../../support/exchange.ts'

const handle = () => ({ status: 200, headers: {} })
const find = findRoute(
  routeTable([
    openRoute('GET', '/v1/open', handle),
    openRoute('GET', '/v1/pets/:petId', handle, { requiresKey: true }),
    openRoute('GET', '/livez', handle),
    openRoute('GET', '/metrics', handle, { requiresKey: true }),
  ]),
)

for (const [start, requiresKey] of [
  ['GET /v1/pets/1', true],
  ['GET /v1/open', false],
  ['GET /livez', false],
  ['GET /metrics', true],
  // Without a key nobody learns what there is under /v1.
  ['PUT /v1/open', true],
  ['GET /v1/nope', true],
  ['GET /nope', false],
  ['PUT /metrics', false],
] as const) {
  test(`a route decides whether it needs a key; without a route, the place does: ${start}`, () => {
    const [method = '', url = ''] = start.split(' ')
    const exchange = makeExchange({ method, url })

    void find(exchange)

    assert.equal(exchange.findings.requiresKey, requiresKey)
  })
}

test('the methods and the parameters of a path are found, whatever the method', () => {
  const [known, wrong, unknown] = ['GET /v1/pets/7', 'PUT /v1/pets/7', 'GET /v1/nope'].map((start) => {
    const [method = '', url = ''] = start.split(' ')
    const exchange = makeExchange({ method, url })
    void find(exchange)
    const { route, allow, params } = exchange.findings
    return { path: route?.path, allow, params: { ...params } }
  })

  assert.deepEqual(known, { path: '/v1/pets/:petId', allow: 'GET, HEAD, OPTIONS', params: { petId: '7' } })
  assert.deepEqual(wrong, { path: undefined, allow: 'GET, HEAD, OPTIONS', params: { petId: '7' } })
  assert.deepEqual(unknown, { path: undefined, allow: undefined, params: {} })
})

/** What comes of a request for a path with these methods. */
function answerTo(start: string, made: { allow?: string; route?: Route; origin?: string } = {}) {
  const [method = '', url = ''] = start.split(' ')
  const exchange = makeExchange({ method, url })
  exchange.findings.allow = made.allow
  exchange.findings.route = made.route
  if (made.origin !== undefined) exchange.response.headers['access-control-allow-origin'] = made.origin
  return { reply: refuseUnknown(exchange), allow: exchange.response.headers['allow'] }
}

test('OPTIONS is answered with the methods of the path, and the media types of a change', () => {
  const reply = (headers: Record<string, string>) => ({ status: 204, headers })
  const types = { 'accept-patch': 'application/merge-patch+json, application/json' }
  const allow = 'GET, OPTIONS'

  assert.deepEqual(answerTo('OPTIONS /v1/pets', { allow }), { reply: reply({}), allow })
  assert.deepEqual(answerTo('OPTIONS /v1/pets', { allow: 'OPTIONS, PATCH' }).reply, reply(types))
  assert.deepEqual(
    answerTo('OPTIONS /v1/pets', { allow, origin: '*' }).reply,
    reply({ 'access-control-allow-methods': allow }),
  )
})

test('an unknown path, a wrong method and a broken path are refused, and a route passes', () => {
  const route = openRoute('GET', '/v1/pets', handle)

  assert.deepEqual(answerTo('GET /v1/pets', { allow: 'GET', route }), { reply: undefined, allow: undefined })
  assert.throws(() => answerTo('GET /nope'), { code: 'not_found' })
  assert.throws(() => answerTo('OPTIONS /nope'), { code: 'not_found' })
  assert.throws(() => answerTo('PUT /v1/pets', { allow: 'GET' }), {
    code: 'method_not_allowed',
    message: 'This path allows GET.',
  })
  assert.throws(() => answerTo('GET /v1/pets/%zz', { allow: 'GET', route }), { code: 'invalid_request' })
})
