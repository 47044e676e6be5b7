import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'

const shop = 'https://shop.example'
const preflight = { origin: shop, 'access-control-request-method': 'POST' }
function listed(header: string | null): string[] {
  return (header ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .toSorted()
}

function corsHeaders(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => name.startsWith('access-control-'))
}

for (const method of ['GET', 'OPTIONS']) {
  test(`CORS is off unless origins are configured: ${method}`, async (t) => {
    const { send } = await startApp(t)

    const answer = await send('/v1/pets', { method, headers: preflight })

    assert.ok(answer.status < 400)
    assert.deepEqual(corsHeaders(answer.headers), [])
  })
}

test('a configured origin may read responses', async (t) => {
  const { send } = await startApp(t, { corsOrigins: ['https://other.example', shop] })

  const answer = await send('/v1/pets', { headers: { origin: shop } })

  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('access-control-allow-origin'), shop)
})

for (const [path, status] of Object.entries({
  '/v1/pets?limit=0': 400,
  '/v1/pets/%zz': 400,
  '/v1/pets/999': 404,
  '/v1/nope': 404,
  '/nope': 404,
})) {
  test(`a configured origin may read errors too: ${status} for ${path}`, async (t) => {
    const { send } = await startApp(t, { corsOrigins: [shop] })

    const answer = await send(path, { headers: { origin: shop } })

    assert.equal(answer.status, status)
    assert.equal(answer.headers.get('access-control-allow-origin'), shop)
    assert.ok(listed(answer.headers.get('access-control-expose-headers')).includes('x-request-id'))
  })
}

test('a configured origin may read a 401', async (t) => {
  const { send } = await startApp(t, { corsOrigins: [shop] })

  const answer = await send('/v1/pets', { headers: { origin: shop, authorization: 'Bearer x' } })

  assertError(answer, 'unauthorized')
  assert.equal(answer.headers.get('access-control-allow-origin'), shop)
})

for (const origin of ['https://other.example', 'http://shop.example', `${shop}:444`, `${shop}.evil.example`, 'null']) {
  test(`other origins may read nothing: ${origin}`, async (t) => {
    const { send } = await startApp(t, { corsOrigins: [shop] })

    const answer = await send('/v1/pets', { headers: { origin } })

    assert.equal(answer.status, 200)
    assert.deepEqual(corsHeaders(answer.headers), [])
  })
}

test('a preflight of another origin gets an empty response', async (t) => {
  const { send } = await startApp(t, { corsOrigins: [shop] })

  const answer = await send('/v1/pets', {
    method: 'OPTIONS',
    headers: { ...preflight, origin: 'https://other.example', authorization: '' },
  })

  assert.equal(answer.status, 204)
  assert.deepEqual(corsHeaders(answer.headers), [])
})

test('* lets every origin read responses', async (t) => {
  const { send } = await startApp(t, { corsOrigins: ['*'] })

  const answer = await send('/v1/pets', { headers: { origin: 'https://any.example' } })

  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
})

for (const configured of [shop, '*']) {
  test(`browser credentials are never allowed: ${configured}`, async (t) => {
    const { send } = await startApp(t, { corsOrigins: [configured] })

    const answer = await send('/v1/pets', { headers: { origin: shop } })

    assert.equal(answer.headers.has('access-control-allow-credentials'), false)
  })
}

for (const [path, methods] of Object.entries({
  '/v1/pets': ['GET', 'POST'],
  '/v1/pets/1': ['GET', 'PATCH', 'DELETE'],
  '/v1/store/orders': ['GET', 'POST'],
  '/v1/store/orders/1': ['PATCH'],
  '/v1/categories/1': ['PUT'],
  '/v1/events': ['GET'],
})) {
  test(`a preflight needs no key and lists methods and headers of the operation: ${path}`, async (t) => {
    const { origin } = await startApp(t, { corsOrigins: [shop] })

    const { status, headers } = await fetch(origin + path, { method: 'OPTIONS', headers: preflight })

    assert.equal(status, 204)
    assert.equal(headers.get('access-control-allow-origin'), shop)
    for (const method of methods) {
      assert.ok(listed(headers.get('access-control-allow-methods')).includes(method.toLowerCase()))
    }
    for (const name of [
      'authorization',
      'content-type',
      'idempotency-key',
      'if-match',
      'if-none-match',
      'last-event-id',
      'prefer',
      'x-request-id',
    ]) {
      assert.ok(listed(headers.get('access-control-allow-headers')).includes(name), name)
    }
  })
}

for (const [path, varying] of Object.entries({
  '/v1/pets': ['accept-encoding', 'origin', 'prefer'],
  '/v1/pets/999': ['origin'],
  '/openapi.json': ['accept-encoding', 'host', 'origin'],
  '/asyncapi.json': ['accept-encoding', 'host', 'origin'],
})) {
  test(`with configured origins every response has Vary: Origin: ${path}`, async (t) => {
    const { send } = await startApp(t, { corsOrigins: [shop] })

    const answers = [await send(path), await send(path, { headers: { origin: shop } })]

    for (const { headers } of answers) assert.deepEqual(listed(headers.get('vary')), varying)
  })
}

test('a request that is no preflight learns nothing about preflights, and one without an origin nothing at all', async (t) => {
  const { send } = await startApp(t, { corsOrigins: ['*'] })

  const read = await send('/v1/pets', { headers: { origin: shop } })
  const own = await send('/v1/pets')

  assert.deepEqual(corsHeaders(read.headers), ['access-control-allow-origin', 'access-control-expose-headers'])
  assert.deepEqual(corsHeaders(own.headers), [])
})

test('only agents may send the headers of the Model Context Protocol', async (t) => {
  const { send } = await startApp(t, { corsOrigins: [shop], hasMcp: true })
  const isAllowed = async (path: string) =>
    listed(
      (await send(path, { method: 'OPTIONS', headers: preflight })).headers.get('access-control-allow-headers'),
    ).includes('mcp-method')

  assert.deepEqual([await isAllowed('/mcp'), await isAllowed('/v1/pets')], [true, false])
})

test('only OPTIONS with both headers of a preflight needs no key', async (t) => {
  const { origin } = await startApp(t)
  const both = { origin: shop, 'access-control-request-method': 'GET' }
  const statuses = await Promise.all(
    (
      [
        ['OPTIONS', both],
        ['GET', both],
        ['OPTIONS', { origin: shop }],
        ['OPTIONS', { 'access-control-request-method': 'GET' }],
      ] as const
    ).map(async ([method, headers]) => (await fetch(`${origin}/v1/pets`, { method, headers })).status),
  )

  assert.deepEqual(statuses, [204, 401, 401, 401])
})
