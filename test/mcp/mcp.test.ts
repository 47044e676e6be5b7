import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientOptions } from '@modelcontextprotocol/client'
import { share, startApp, type TestApp } from '../support/app.ts'
import { callOf, connect, post } from '../support/agent.ts'
import { assertError } from '../support/error.ts'
import { startShop } from '../support/operations.ts'

const sharedShop = share((t) => startShop(t, { hasMcp: true }))

const protocols: Record<string, ClientOptions> = {
  '2025-11-25': {},
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
}

/** With a Host of its own, which fetch does not send. */
function sendAs({ sendRaw, key }: TestApp, { origin, host }: { origin: string; host: string }): Promise<string> {
  const message = callOf('listPets', '{}')
  return sendRaw(
    `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nConnection: close\r\nContent-Length: ${message.length}\r\n\r\n${message}`,
  )
}

for (const [version, options] of Object.entries(protocols)) {
  test(`an agent adds, finds, changes, sells and removes animals (protocol ${version})`, async (t) => {
    const agent = await connect(t, await startShop(t, { hasMcp: true }), options)

    assert.equal(agent.version, version)
    assert.match(agent.instructions ?? '', /placeOrder/)
    const rex = { name: 'Bello', categoryId: 2, status: 'available' }
    const added = await agent.call('createPet', { ...rex, idempotencyKey: 'one' })
    assert.deepEqual(added['data'], { id: 3, ...rex })
    assert.deepEqual((await agent.call('createPet', { ...rex, idempotencyKey: 'one' }))['replayed'], 'true')
    assert.deepEqual((await agent.call('listPets', { name: 'bel' }))['data'], [{ id: 3, ...rex }])
    const order = await agent.call('placeOrder', { petId: 3, customer: 'Ada', idempotencyKey: 'two' })
    assert.equal((order['data'] as { id: number }).id, 2)
    await agent.call('updateOrder', { orderId: 2, status: 'completed' })
    const sold = await agent.call('listPets', { id: 3 })
    assert.deepEqual(sold['data'], [{ ...rex, id: 3, status: 'sold' }])
    const changed = await agent.call('updatePet', { petId: 3, status: null, ifMatch: sold['etag'] })
    assert.deepEqual(changed['data'], { id: 3, name: 'Bello', categoryId: 2 })
    assert.equal(
      (await agent.call('updatePet', { petId: 3, name: 'Max', ifMatch: sold['etag'] }))['code'],
      'precondition_failed',
    )
    assert.deepEqual(await agent.call('deletePet', { petId: 3 }), { isError: false })
    const { data } = await agent.call('listEvents', { petId: 3, sort: '-id', limit: 1 })
    assert.equal((data as { type: string }[])[0]?.type, 'petstore.pet.deleted')
  })

  test(`an error has the contract's shape (protocol ${version})`, async (t) => {
    const agent = await connect(t, await sharedShop(), options)

    // `call` asserts that an error has no structuredContent.
    const missing = { isError: true, code: 'not_found', message: 'No animal has this id.', status: 404 }
    assert.deepEqual(await agent.call('deletePet', { petId: 99 }), missing)
    assert.equal(
      (await agent.call('createPet', { name: '', categoryId: 1, idempotencyKey: 'x' }))['code'],
      'invalid_body',
    )
    await agent.fails('getPet')
  })

  test(`the tools of a key are those that it may use (protocol ${version})`, async (t) => {
    const app = await sharedShop()
    const { secret } = await app.makeKey({ permission: 'read' })
    const reader = await connect(t, { ...app, key: secret }, options)
    const writer = await connect(t, app, options)

    const readable = await reader.tools()
    assert.ok(readable.length > 5 && readable.every(({ annotations }) => annotations?.readOnlyHint === true))
    assert.ok((await writer.tools()).length > readable.length)
    assert.deepEqual(await reader.call('deletePet', { petId: 1 }), {
      isError: true,
      code: 'forbidden',
      message: 'This API key may read but not write.',
      status: 403,
    })
  })
}

test('an agent pages through a list', async (t) => {
  const agent = await connect(t, await sharedShop())

  const first = await agent.call('listPets', { limit: 1 })
  const second = await agent.call('listPets', { limit: 1, cursor: first['nextCursor'] })

  assert.deepEqual(
    [first['data'], second['data']].flat().map((pet) => (pet as { id: number }).id),
    [1, 2],
  )
  assert.equal(second['nextCursor'], undefined)
})

test('ids keep all their digits in both directions', async (t) => {
  const app = await startApp(t, { hasMcp: true })
  const large = '9007199254740993'

  const added = await post(app, callOf('createPet', `{"name":"Rex","categoryId":${large},"idempotencyKey":"k"}`))
  const found = await post(app, callOf('listPets', `{"categoryId":${large}}`))
  const rounded = await post(app, callOf('listPets', '{"categoryId":9007199254740992}'))
  const fraction = await post(app, callOf('createPet', `{"name":"Rex","categoryId":1.5,"idempotencyKey":"l"}`))

  assert.ok(added.text.includes(`"structuredContent":{"data":{"id":1,"name":"Rex","categoryId":${large}}`), added.text)
  assert.ok(
    found.text.includes(`"structuredContent":{"data":[{"id":1,"name":"Rex","categoryId":${large}}]`),
    found.text,
  )
  assert.ok(rounded.text.includes('"data":[]'))
  assert.ok(fraction.text.includes('invalid_body'))
})

test('there are no sessions: any process serves any request', async (t) => {
  const first = await startShop(t, { hasMcp: true })
  const other = await startApp(t, { hasMcp: true, storage: first.storage, adminKey: first.key })
  const params = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}'

  const begun = await post(first, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${params}}`)
  const added = await post(first, callOf('createPet', '{"name":"Max","categoryId":1,"idempotencyKey":"a"}'))
  const found = await post(other, callOf('listPets', '{"name":"max"}'))

  assert.deepEqual([begun.status, added.status, found.status], [200, 200, 200])
  assert.equal(begun.headers.get('mcp-session-id'), null)
  assert.match(found.text, /"name":"Max"/)
})

test("what is refused before the protocol has the contract's shape", async (t) => {
  const app = await sharedShop()
  const message = callOf('listPets', '{}')

  assertError(await post(app, message, { authorization: 'Bearer nobody' }), 'unauthorized')
  assertError(await app.send('/mcp'), 'method_not_allowed')
  assertError(
    await app.send('/mcp', { method: 'POST', body: message, headers: { 'content-type': 'text/plain' } }),
    'unsupported_media_type',
  )
  assertError(await post(app, `"${'x'.repeat(70_000)}"`), 'payload_too_large')
  assertError(await post(app, message, { origin: 'https://evil.example' }), 'forbidden')
  const limited = await startApp(t, { hasMcp: true, rateLimit: 1 })
  await post(limited, message)
  assertError(await post(limited, message), 'rate_limited')
  const closed = await startApp(t, { hasMcp: true })
  await closed.storage.close()
  assertError(await post(closed, message), 'unavailable')
})

test('a page of this service on the same machine may use the endpoint', async () => {
  const app = await sharedShop()

  assert.equal((await post(app, callOf('listPets', '{}'), { origin: app.origin })).status, 200)
  assertError(await post(app, callOf('listPets', '{}'), { origin: 'http://localhost:1' }), 'forbidden')
  const renamed = { origin: 'http://evil.example', host: 'evil.example' }
  assert.match(await sendAs(app, renamed), /^HTTP\/1\.1 403 /)
})

test('a page of a configured origin may use the endpoint', async (t) => {
  const app = await startApp(t, { hasMcp: true, corsOrigins: ['https://shop.example'] })

  assert.equal((await post(app, callOf('listPets', '{}'), { origin: 'https://shop.example' })).status, 200)
  assertError(await post(app, callOf('listPets', '{}'), { origin: 'https://evil.example' }), 'forbidden')
  const asks = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
  const { headers } = await app.send('/mcp', { method: 'OPTIONS', headers: asks })
  assert.match(headers.get('access-control-allow-headers') ?? '', /, Mcp-Method, Mcp-Name, Mcp-Protocol-Version$/)
})

test('what is no message of the protocol gets an error of JSON-RPC', async () => {
  const app = await sharedShop()
  const later =
    '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
  const cases: [string, number][] = [
    ['', -32700],
    ['{', -32700],
    ['5', -32600],
    ['null', -32600],
    [`[${callOf('listPets', '{}')}]`, -32600],
    ['{}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}', -32601],
    [`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{${later}}}`, -32601],
    ['{"jsonrpc":"2.0","id":1,"method":"nothing"}', -32601],
    [callOf('listPets', '[]'), -32602],
    [callOf('listPets', '['.repeat(20_000) + ']'.repeat(20_000)), -32600],
  ]
  for (const [message, code] of cases) {
    const { text, status } = await post(app, message)
    assert.ok(text.includes(`"code":${code}`), `${message.slice(0, 90)}: ${status} ${text}`)
  }
  assert.equal((await app.send('/v1/pets')).status, 200)
})

test('params that are incomplete are told in a sentence, with the id of the message, as an error of the client', async () => {
  const app = await sharedShop()
  const initialize = (params: string) => `{"jsonrpc":"2.0","id":"a","method":"initialize"${params}}`
  const info = '"protocolVersion":"2025-11-25","capabilities":{}'

  for (const [message, sentence] of [
    ['{"jsonrpc":"2.0","id":"a","method":"tools/call"}', 'tools/call needs params, an object.'],
    [
      '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":5}}',
      'params.name must be a text: the name of a tool.',
    ],
    [
      '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"listPets","arguments":null}}',
      'params.arguments must be an object.',
    ],
    [initialize(''), 'initialize needs params, an object.'],
    [initialize(',"params":{}'), 'params.protocolVersion must be a text, such as 2025-11-25.'],
    [initialize(`,"params":{${info}}`), 'params.clientInfo must be an object with a name and a version, both texts.'],
  ] as const) {
    const { text, status } = await post(app, message)

    assert.equal(status, 200)
    assert.deepEqual(JSON.parse(text), { jsonrpc: '2.0', id: 'a', error: { code: -32602, message: sentence } })
  }
})

test('a message of more values than any tool takes is refused, and none of them is looked at', async () => {
  const app = await sharedShop()
  const ones = (count: number) => `{"name":[${Array(count).fill(1).join(',')}]}`
  const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"a${index}":1`).join(',')}}`

  for (const given of [ones(30_000), members(6_000)]) {
    const { text } = await post(app, callOf('listPets', given))
    assert.match(text, /"code":-32600,"message":"A message has at most 1000 values, at all depths\."/)
  }
  assert.match((await post(app, callOf('listPets', ones(900)))).text, /name must be a text or a number/)
})

test('a result that is too large for an agent asks for fewer', async (t) => {
  const app = await startApp(t, { hasMcp: true })
  for (let count = 0; count < 5; count++) await app.create({ name: 'x'.repeat(60_000), categoryId: 1 })

  const agent = await connect(t, app)

  assert.equal((await agent.call('listPets'))['code'], 'payload_too_large')
  assert.equal((await agent.call('listPets', { limit: 4 }))['isError'], false)
})

test('a tool is logged as its operation, with the request id and key of the agent', async (t) => {
  const app = await startApp(t, { hasMcp: true })
  await post(app, callOf('listPets', '{}'), { 'x-request-id': 'agent-1' })

  const seen = app.answered.map(({ requestId, method, route, status }) => ({ requestId, method, route, status }))

  assert.deepEqual(seen, [
    { requestId: 'agent-1', method: 'GET', route: '/v1/pets', status: 200 },
    { requestId: 'agent-1', method: 'POST', route: '/mcp', status: 200 },
  ])
  assert.equal(new Set(app.answered.map(({ keyId }) => keyId)).size, 1)
})

test('the endpoint is served only if it is on, and only beside experimental operations', async (t) => {
  const off = await startApp(t)
  const beta = await startApp(t, { hasMcp: true, minStability: 'beta' })

  for (const app of [off, beta]) assertError(await post(app, callOf('listPets', '{}')), 'not_found')
})
