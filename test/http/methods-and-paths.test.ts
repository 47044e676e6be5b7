import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ErrorCode } from '../../src/contract/error.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { type Answer, rawRequest, readAnswers, shareApp, startApp, type TestApp } from '../support/app.ts'
import { sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

const sharedApp = shareApp()

const json = 'Content-Type: application/json'

/** A shop with the animals 1 to 7. */
async function startShop(t: TestContext): Promise<TestApp> {
  const app = await startApp(t, { metrics: async () => 'up 1\n' })
  for (let id = 1; id <= 7; id++) await app.storage.pets.create({ name: `animal ${id}`, categoryId: 1n })
  return app
}

/** For methods, addresses and headers that fetch would change or refuse. */
async function ask(app: TestApp, start: string, headers: readonly string[] = [], body = ''): Promise<Answer> {
  const proper = ['Host: petstore', 'Connection: close', `Authorization: Bearer ${app.key}`]
  const raw = await app.sendRaw(rawRequest(start, [...proper, ...headers], body))
  return readAnswers(raw)[0] as Answer
}

/** Lists often enough for the answer to come from memory. */
async function listRepeatedly(app: TestApp): Promise<void> {
  for (let times = 0; times < 3; times++) await ask(app, 'GET /v1/pets')
}

/** Those headers that belong to what was asked for, not to the moment or to the connection. */
function lasting(headers: Headers): [string, string][] {
  return [...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name))
}

for (const path of [
  '/v1/pets',
  '/v1/pets?limit=2',
  '/v1/pets/1',
  '/v1/store/orders',
  '/v1/categories',
  '/v1/events',
  '/v1/events?limit=2',
  '/livez',
  '/readyz',
  '/openapi.json',
  '/asyncapi.json',
  '/docs',
  '/docs/start.js',
  '/',
  '/console/main.js',
  '/console/key',
  '/metrics',
]) {
  test(`HEAD works wherever GET does, with the same headers and no body: ${path}`, async (t) => {
    const { send } = await startShop(t)
    await send(path)
    await send(path)
    const get = await send(path)

    const head = await send(path, { method: 'HEAD' })

    assert.ok(get.status < 400)
    assert.equal(head.status, get.status)
    assert.deepEqual(lasting(head.headers), lasting(get.headers))
    assert.equal(head.text, '')
  })
}

for (const path of [
  '/v1/pets?limit=0',
  '/v1/pets/999',
  '/v1/store/orders?status=x',
  '/v1/events?after=x',
  '/v1/nope',
  '/nope',
]) {
  test(`HEAD gets the error status of GET, without a body: ${path}`, async (t) => {
    const { send } = await startShop(t)
    const get = await send(path)

    const head = await send(path, { method: 'HEAD' })

    assert.ok(get.status >= 400)
    assert.equal(head.status, get.status)
    assert.deepEqual(lasting(head.headers), lasting(get.headers))
    assert.equal(head.text, '')
  })
}

const allowed = {
  '/v1/pets': 'GET, HEAD, OPTIONS, POST',
  '/v1/pets/1': 'DELETE, GET, HEAD, OPTIONS, PATCH',
  '/v1/pets/999': 'DELETE, GET, HEAD, OPTIONS, PATCH',
  '/v1/pets/import': 'OPTIONS, POST',
  '/v1/pets/export': 'GET, HEAD, OPTIONS',
  '/v1/store/orders': 'GET, HEAD, OPTIONS, POST',
  '/v1/store/orders/1': 'GET, HEAD, OPTIONS, PATCH',
  '/v1/categories': 'GET, HEAD, OPTIONS, POST',
  '/v1/events': 'GET, HEAD, OPTIONS',
  '/livez': 'GET, HEAD, OPTIONS',
  '/readyz': 'GET, HEAD, OPTIONS',
  '/openapi.json': 'GET, HEAD, OPTIONS',
  '/asyncapi.json': 'GET, HEAD, OPTIONS',
  '/docs': 'GET, HEAD, OPTIONS',
}

for (const [path, allow] of Object.entries(allowed)) {
  test(`a wrong method is refused with Allow: PUT ${path}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, `PUT ${path}`)

    assertError(answer, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), allow)
  })

  test(`OPTIONS returns the methods of the path: ${path}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, `OPTIONS ${path}`)

    assert.equal(answer.status, 204)
    assert.equal(answer.headers.get('allow'), allow)
    assert.equal(answer.text, '')
  })
}

for (const path of ['/v1/pets/import', '/v1/pets/%69mport', '/v1/pets/export'] as const) {
  test(`a path of its own has none of the methods of an animal: ${path}`, async () => {
    const app = await sharedApp()
    const own = path === '/v1/pets/export' ? 'export' : 'import'
    const allow = allowed[`/v1/pets/${own}`]

    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (allow.split(', ').includes(method)) continue
      const answer = await ask(app, `${method} ${path}`)
      assertError(answer, 'method_not_allowed')
      assert.equal(answer.headers.get('allow'), allow, method)
      assert.equal(answer.headers.get('deprecation'), null, method)
    }
    assert.equal((await app.send(path, { method: 'HEAD' })).status, own === 'export' ? 200 : 405)
  })
}

for (const [path, types] of [
  ['/v1/pets/1', 'application/merge-patch+json, application/json'],
  ['/v1/store/orders/1', 'application/merge-patch+json, application/json'],
  ['/v1/pets', null],
  ['/v1/categories/1', null],
] as const) {
  test(`OPTIONS of a path with PATCH has Accept-Patch: ${path}`, async () => {
    const { send } = await sharedApp()

    const answer = await send(path, { method: 'OPTIONS' })

    assert.equal(answer.headers.get('accept-patch'), types)
  })
}

for (const method of ['POST', 'PATCH']) {
  test(`a category allows only GET, PUT and DELETE: ${method}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, `${method} /v1/categories/1`)

    assertError(answer, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), 'DELETE, GET, HEAD, OPTIONS, PUT')
  })
}

for (const path of [
  '/v1/store',
  '/v1/store/orders/',
  '/v1/store/orders/1/x',
  '/v1/Events',
  '/v1/events/',
  '/v1/events/1',
]) {
  test(`a similar path is not found: ${path}`, async () => {
    const app = await sharedApp()

    assertError(await ask(app, `GET ${path}`), 'not_found')
  })
}

for (const method of ['PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'PURGE', 'QUERY', 'M-SEARCH']) {
  test(`every wrong method is refused with Allow: ${method}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, `${method} /v1/pets`)

    assertError(answer, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), allowed['/v1/pets'])
  })
}

for (const start of ['PUT /v1/pets?limit=1', 'PUT /v1/%70ets', 'PUT http://petstore/v1/pets']) {
  test(`an unknown method is refused with Allow however the path is spelled: ${start}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, start)

    assertError(answer, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), allowed['/v1/pets'])
  })
}

for (const method of ['FOO', 'get']) {
  test(`a nonstandard method is refused with Allow: ${method}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, `${method} /v1/pets`)

    assertError(answer, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), allowed['/v1/pets'])
  })
}

for (const path of [
  '/v1/pets/',
  '/v1/Pets',
  '/v1/PETS',
  '/v1//pets',
  '/v1/pets//1',
  '/v1/pets/1/',
  '/v1/pets/1/2',
  '/v1/pets%2F1',
  '/v1/pets;limit=1',
  '/v1/./pets',
  '/v1/nope',
  '/v1/',
  '/v1',
  '/V1/pets',
  '/v2/pets',
  '/pets',
  '//v1/pets',
  '/nope',
  '/livez/',
  '/metrics',
]) {
  test(`an unknown path is not found: ${path}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, `GET ${path}`)

    assertError(answer, 'not_found')
    assert.equal(answer.headers.has('allow'), false)
  })
}

for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
  test(`an unknown path is not found with any method: ${method}`, async () => {
    const app = await sharedApp()

    const answers = [await ask(app, `${method} /v1/nope`), await ask(app, `${method} /nope`)]

    for (const answer of answers) assertError(answer, 'not_found')
  })
}

test('a path outside /v1 is not found, with or without a key', async (t) => {
  const { origin } = await startApp(t)

  const response = await fetch(`${origin}/nope`)

  assert.equal(response.status, 404)
})

for (const path of ['/v1/pets/%37', '/v1/%70ets/7', '/%76%31/pets/7', 'http://petstore/v1/pets/7']) {
  test(`an escaped character equals the unescaped one: ${path}`, async (t) => {
    const app = await startShop(t)
    const plain = await ask(app, 'GET /v1/pets/7')

    const answer = await ask(app, `GET ${path}`)

    assert.equal(answer.status, 200)
    assert.equal(answer.text, plain.text)
  })
}

test('an escape in a parameter equals the character', async (t) => {
  const app = await startShop(t)
  const plain = await ask(app, 'GET /v1/pets?limit=7')

  const answer = await ask(app, 'GET /v1/pets?%6Cimit=%37')

  assert.equal(answer.status, 200)
  assert.equal(answer.text, plain.text)
})

test('escapes are decoded once: %2537 is not 7', async (t) => {
  const app = await startShop(t)

  const answer = await ask(app, 'GET /v1/pets/%2537')

  assertError(answer, 'not_found')
})

for (const path of [
  '/v1/pets/%zz',
  '/v1/pets/%',
  '/v1/pets/1%2',
  '/v1/pets/%ff',
  '/v1/pets%',
  '/v1/nope/%E0%A4%A',
  '/%zz',
]) {
  test(`a broken escape in the path is refused: ${path}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, `GET ${path}`)

    assertError(answer, 'invalid_request')
  })
}

for (const query of ['limit=%zz', 'limit=1%', 'status=%f', 'status=%ff', '%zz=1', 'unknown=%zz', 'limit=1&unknown=%']) {
  test(`a broken escape in the query is refused: ${query}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, `GET /v1/pets?${query}`)

    assertError(answer, 'invalid_parameter')
  })
}

for (const [start, headers, body] of [
  ['GET /v1/pets/1', [], ''],
  ['POST /v1/pets', [json], '{"name":"Rex","categoryId":1}'],
] as const) {
  test(`a broken escape in the query is refused by operations without parameters: ${start}`, async (t) => {
    const app = await startShop(t)

    const answer = await ask(app, `${start}?unknown=%zz`, headers, body)

    assertError(answer, 'invalid_parameter')
  })
}

const everyKind: Record<string, (app: TestApp) => Promise<Answer>> = {
  'a page': (app) => ask(app, 'GET /v1/pets'),
  'a page from memory': (app) => listRepeatedly(app).then(() => ask(app, 'GET /v1/pets')),
  'an animal': (app) => ask(app, 'GET /v1/pets/1'),
  'a new animal': (app) => ask(app, 'POST /v1/pets', [json], '{"name":"Rex","categoryId":1}'),
  'a changed animal': (app) => ask(app, 'PATCH /v1/pets/1', [json], '{"name":"Rex"}'),
  'a removed animal': async (app) => {
    const [pet] = (await app.send('/v1/pets?limit=1')).body as { id: number }[]
    return ask(app, `DELETE /v1/pets/${pet?.id}`)
  },
  orders: (app) => ask(app, 'GET /v1/store/orders'),
  'a category': (app) => ask(app, 'PUT /v1/categories/1', [json], '{"name":"Dogs"}'),
  events: (app) => ask(app, 'GET /v1/events'),
  'not modified': (app) => ask(app, 'GET /v1/pets', ['If-None-Match: *']),
  'a HEAD': (app) => app.send('/v1/pets', { method: 'HEAD' }),
  'an OPTIONS': (app) => ask(app, 'OPTIONS /v1/pets'),
  health: (app) => ask(app, 'GET /livez'),
  'the document': (app) => ask(app, 'GET /openapi.json'),
  'the reference page': (app) => ask(app, 'GET /docs'),
  'a redirect': (app) => ask(app, 'GET /'),
  'an error': (app) => ask(app, 'GET /v1/nope'),
  'a broken escape': (app) => ask(app, 'GET /v1/%zz'),
  'a long address': (app) => ask(app, `GET /v1/${'a'.repeat(5_000)}`),
  'an unknown expectation': (app) => ask(app, 'GET /v1/pets', ['Expect: tea']),
  'a body that is too large': (app) => ask(app, 'POST /v1/pets', [json, 'Content-Length: 65537']),
  'a proxy request': (app) => ask(app, 'CONNECT petstore.example:443'),
  'malformed HTTP': (app) => ask(app, 'GET /v1/pets', ['colon']),
}

for (const [name, answerOf] of Object.entries(everyKind)) {
  test(`every response has a unique X-Request-Id: ${name}`, async (t) => {
    const app = await startShop(t)

    const ids = [await answerOf(app), await answerOf(app)].map(({ headers }) => headers.get('x-request-id') ?? '')

    assert.match(ids[0] as string, /^\S+$/)
    assert.notEqual(ids[0], ids[1])
  })
}

for (const id of ['a', 'order-7/retry.2', 'b7ad6b7169203331', 'Zm9v+/==', 'user@host:7', 'x'.repeat(128)]) {
  test(`a valid X-Request-Id of the client is returned: ${id}`, async () => {
    const app = await sharedApp()
    await listRepeatedly(app)

    const answers = [
      await ask(app, 'GET /v1/pets', [`X-Request-Id: ${id}`]),
      await ask(app, 'GET /v1/nope', [`X-Request-Id: ${id}`]),
      await ask(app, 'GET /v1/%zz', [`X-Request-Id: ${id}`]),
    ]

    assert.deepEqual(
      answers.map(({ headers }) => headers.get('x-request-id')),
      [id, id, id],
    )
  })
}

for (const [name, start, headers, rest] of [
  ['a proxy request', 'CONNECT petstore.example:443', [], ''],
  ['a broken chunk', 'POST /v1/pets', [json, 'Transfer-Encoding: chunked'], 'zz\r\n'],
] as const) {
  test(`a valid X-Request-Id is returned with transport errors after the headers: ${name}`, async () => {
    const app = await sharedApp()
    const proper = ['Host: petstore', 'Connection: close', `Authorization: Bearer ${app.key}`, 'X-Request-Id: mine']

    const raw = await app.sendRaw(rawRequest(start, [...proper, ...headers]) + rest)

    assert.equal(readAnswers(raw)[0]?.headers.get('x-request-id'), 'mine')
  })
}

for (const [name, headers] of Object.entries({
  empty: ['X-Request-Id:'],
  'too long': [`X-Request-Id: ${'x'.repeat(129)}`],
  'with a space': ['X-Request-Id: a b'],
  'with a comma': ['X-Request-Id: a,b'],
  'with markup': ['X-Request-Id: <script>'],
  'with quotes': ['X-Request-Id: "a"'],
  'not ASCII': ['X-Request-Id: clé'],
  'given twice': ['X-Request-Id: a', 'X-Request-Id: b'],
  'with an API key': ['X-Request-Id: a-pet_test_k3J9x2'],
  'with an invitation': ['X-Request-Id: pet_invite_k3J9x2'],
  'with the secret of a webhook': ['X-Request-Id: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  'with the key of a sandbox': ['X-Request-Id: sandbox_my-shop'],
})) {
  test(`an invalid X-Request-Id is replaced: ${name}`, async () => {
    const app = await sharedApp()
    await listRepeatedly(app)

    const answer = await ask(app, 'GET /v1/pets', headers)

    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f]{12}-[0-9a-z]+$/)
  })
}

const errors: [code: ErrorCode, start: string, headers?: string[], body?: string][] = [
  ['invalid_parameter', 'GET /v1/pets?limit=0'],
  ['invalid_parameter', 'GET /v1/pets?cursor=x'],
  ['invalid_parameter', 'POST /v1/pets', [json, 'Idempotency-Key: ""'], '{"name":"Rex","categoryId":1}'],
  ['invalid_parameter', 'GET /v1/store/orders?petId=x'],
  ['invalid_parameter', 'GET /v1/events?after=x'],
  ['invalid_body', 'PATCH /v1/pets/1', [json], '{"name":null}'],
  ['conflict', 'POST /v1/store/orders', [json], '{"petId":1}'],
  ['invalid_body', 'POST /v1/pets', [json], '{'],
  ['invalid_body', 'POST /v1/pets', [json], '{}'],
  ['invalid_request', 'GET /v1/%zz'],
  ['invalid_request', 'GET /v1/pets', ['colon']],
  ['invalid_request', 'GET /v1/pets', ['Host: again']],
  ['unauthorized', 'GET /v1/pets', ['Authorization: Basic x']],
  ['not_found', 'GET /v1/nope'],
  ['not_found', 'GET /v1/pets/abc'],
  ['method_not_allowed', 'PUT /v1/pets'],
  ['payload_too_large', 'POST /v1/pets', [json, 'Content-Length: 65537']],
  ['uri_too_long', `GET /v1/${'a'.repeat(5_000)}`],
  ['unsupported_media_type', 'POST /v1/pets', ['Content-Type: text/plain'], 'Rex'],
  ['expectation_failed', 'GET /v1/pets', ['Expect: tea']],
  ['headers_too_large', 'GET /v1/pets', [`X-Large: ${'a'.repeat(9_000)}`]],
]

for (const [code, start, headers, body] of errors) {
  const shown = [start.slice(0, 40), ...(headers ?? [])].join(' ').slice(0, 80)
  test(`an error reveals nothing internal and is not cacheable: ${code} for ${shown}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, start, headers, body)

    assertError(answer, code)
    assert.doesNotMatch(answer.text, /fastify|FST_|HPE_|ERR_|sql|typebox|ajv|node|stack|\.ts\b|\/src|JSON at position/i)
    assert.doesNotMatch([...answer.headers.keys()].join(), /server|powered/)
  })
}

async function storageThatFails(t: TestContext): Promise<Storage> {
  const storage = await sqliteInMemory.open(t)
  const fail = () => Promise.reject(new Error('SELECT secret FROM pets in /srv/petstore.db (node:sqlite)'))
  return {
    ...storage,
    pets: {
      list: fail,
      count: fail,
      inventory: fail,
      inventoryById: fail,
      inventoryOf: fail,
      find: fail,
      create: fail,
      update: fail,
      remove: fail,
      changeMany: fail,
    },
    orders: { list: fail, find: fail, place: fail, update: fail },
    categories: { list: fail, find: fail, put: fail, create: fail, remove: fail },
    events: { list: fail, listBackwards: fail, latest: fail, forget: fail },
  }
}

for (const [start, headers, body] of [
  ['GET /v1/pets', [], ''],
  ['GET /v1/pets/1', [], ''],
  ['POST /v1/pets', [json], '{"name":"Rex","categoryId":1}'],
  ['PATCH /v1/pets/1', [json], '{"name":"Rex"}'],
  ['DELETE /v1/pets/1', [], ''],
  ['GET /v1/store/orders', [], ''],
  ['POST /v1/store/orders', [json], '{"petId":1}'],
  ['GET /v1/store/orders/1', [], ''],
  ['PATCH /v1/store/orders/1', [json], '{"status":"completed"}'],
  ['GET /v1/store/inventory', [], ''],
  ['GET /v1/categories', [], ''],
  ['POST /v1/categories', [json], '{"name":"Dogs"}'],
  ['GET /v1/categories/1', [], ''],
  ['PUT /v1/categories/1', [json], '{"name":"Dogs"}'],
  ['DELETE /v1/categories/1', [], ''],
  ['GET /v1/events', [], ''],
  ['GET /v1/events', ['Accept: text/event-stream'], ''],
] as const) {
  test(`an unexpected error is internal, and only the observer gets its cause: ${[start, ...headers].join(' ')}`, async (t) => {
    const app = await startApp(t, { storage: await storageThatFails(t) })

    const answer = await ask(app, start, headers, body)

    assertError(answer, 'internal')
    assert.doesNotMatch(answer.text, /SELECT|secret|srv|sqlite/)
    assert.match(String(app.failures[0]), /SELECT secret/)
  })
}

for (const [name, start, headers, body] of [
  ['a page', 'GET /v1/pets', [], ''],
  ['an animal', 'GET /v1/pets/1', [], ''],
  ['a new animal', 'POST /v1/pets', [json], '{"name":"Rex","categoryId":1}'],
  ['not modified', 'GET /v1/pets', ['If-None-Match: *'], ''],
] as const) {
  test(`a successful response is private and revalidated: ${name}`, async (t) => {
    const app = await startShop(t)

    const answer = await ask(app, start, headers, body)

    assert.ok(answer.status < 400)
    assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
  })
}

for (const path of ['/openapi.json', '/docs', '/docs/start.js', '/livez', '/readyz', '/metrics']) {
  test(`no response is reused without revalidation: ${path}`, async (t) => {
    const { send } = await startShop(t)

    const answer = await send(path)

    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('cache-control') ?? '', /no-cache|no-store/)
  })
}

for (const path of ['/openapi-json', '/docs/startXjs']) {
  test(`dots in a path are not resolved: ${path} is not found`, async () => {
    const app = await sharedApp()

    assertError(await ask(app, `GET ${path}`), 'not_found')
  })
}
