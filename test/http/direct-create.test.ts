import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { unavailable } from '../../src/inventory/errors.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { comparable, countRouted, throughGates } from '../support/gates.ts'

test('a create without Fastify gets the response of the gates', async (t) => {
  const [app, other] = [await startApp(t), await startApp(t)]
  const routed = countRouted(t)
  const pet = { name: 'ポチ 🐕 "x"', categoryId: -7, status: 'sold', id: 5, more: 'ignored' }

  const direct = await app.create(pet)
  assert.equal(routed(), 0)
  const usual = await other.create(pet, throughGates)
  assert.equal(routed(), 1)

  const { location } = comparable(direct).headers
  assert.equal(location, `${app.origin}/v1/pets/1`)
  const expected = comparable(usual)
  assert.deepEqual(comparable(direct), { ...expected, headers: { ...expected.headers, location } })
  assert.deepEqual(app.answered.at(-1), { ...other.answered.at(-1), ...ofItself(app) })
})

function ofItself({ answered }: TestApp) {
  const { requestId, keyId, milliseconds } = answered.at(-1) as TestApp['answered'][number]
  return { requestId, keyId, milliseconds }
}

for (const [name, body, headers] of [
  ['an empty body', ''],
  ['broken JSON', '{'],
  ['an array', '[]'],
  ['a lone surrogate', String.raw`{"name":"\ud800","categoryId":1}`],
  ['no name', '{"categoryId":1}'],
  ['a wrong status', '{"name":"Rex","categoryId":1,"status":"SOLD"}'],
  ['an integer that is too large', '{"name":"Rex","categoryId":9223372036854775808}'],
  ['a body that is too large', `{"name":"${'x'.repeat(64 * 1024)}","categoryId":1}`],
  ['another media type', '{"name":"Rex","categoryId":1}', { 'content-type': 'text/plain' }],
  ['a coded body', '{"name":"Rex","categoryId":1}', { 'content-encoding': 'gzip' }],
  ['strict handling', '{"name":"Rex","categoryId":1,"x":1}', { prefer: 'handling=strict' }],
  ['an invalid idempotency key', '{"name":"Rex","categoryId":1}', { 'idempotency-key': '""' }],
] as const) {
  test(`a create with ${name} gets the response of the gates`, async (t) => {
    const app = await startApp(t)
    const start = 'POST /v1/pets'

    const direct = await app.sendJson(start, body, headers)
    const usual = await app.sendJson(start, body, { ...headers, ...throughGates })

    assert.ok(direct.status >= 400)
    assert.deepEqual(comparable(direct), comparable(usual))
    assert.deepEqual((await app.send('/v1/pets')).body, [])
  })
}

test('a read key cannot create a pet, also if the key is known', async (t) => {
  const app = await startApp(t)
  const { secret } = await app.makeKey({ permission: 'read' })
  const headers = { authorization: `Bearer ${secret}` }
  await app.send('/v1/pets', { headers })

  assertError(await app.create({ name: 'Rex', categoryId: 1 }, headers), 'forbidden')
})

test('a key that was revoked a moment ago cannot create a pet', async (t) => {
  const app = await startApp(t, { engine: sqlite })
  const { id, secret } = await app.makeKey()
  const headers = { authorization: `Bearer ${secret}` }
  await app.create({ name: 'Rex', categoryId: 1 }, headers)
  await app.send('/v1/pets', { headers })

  await app.storage.keys.revoke(id, Date.now())

  assertError(await app.create({ name: 'Tom', categoryId: 1 }, headers), 'unauthorized')
})

/**
 * The responses to requests, sent one after the other, and how many of them Fastify made. `<origin>` stands for the
 * address of the app.
 */
async function responsesOf(t: TestContext, requests: readonly Sent[], more: Record<string, string> = {}) {
  const app = await startApp(t, { clock: () => 1_800_000_000_000 })
  const routed = countRouted(t)
  const responses = []
  let byFastify = 0
  for (const [start, body, headers] of requests) {
    const before = routed()
    const { headers: sent, ...rest } = comparable(await app.sendJson(start, body, { ...headers, ...more }))
    byFastify += routed() - before
    responses.push({ ...rest, headers: { ...sent, location: sent['location']?.replace(app.origin, '<origin>') } })
  }
  return { responses, byFastify }
}

type Sent = readonly [start: string, body: string, headers?: Record<string, string>]

const rex = '{"name":"Rex","categoryId":1,"status":"available"}'
const keyed = { 'idempotency-key': '"once"' }

for (const [name, statuses, requests] of [
  [
    'a pet with an idempotency key, its replay and another body',
    [201, 201, 422, 201],
    [
      ['POST /v1/pets', rex, keyed],
      ['POST /v1/pets', `${rex} `, { 'idempotency-key': 'once' }],
      ['POST /v1/pets', '{"name":"Tom","categoryId":1}', keyed],
      ['POST /v1/pets', rex, { 'idempotency-key': 'twice' }],
    ],
  ],
  [
    'an order, its replay and orders that are refused',
    [201, 201, 201, 422, 409, 409, 400],
    [
      ['POST /v1/pets', rex],
      ['POST /v1/store/orders', '{"petId":1,"customer":"Ada"}', keyed],
      ['POST /v1/store/orders', '{"petId":1,"customer":"Ada"}', keyed],
      ['POST /v1/store/orders', '{"petId":1}', keyed],
      ['POST /v1/store/orders', '{"petId":1}'],
      ['POST /v1/store/orders', '{"petId":99}'],
      ['POST /v1/store/orders', '{"petId":"1"}'],
    ],
  ],
] as [string, number[], Sent[]][]) {
  test(`without Fastify, ${name} get the responses of the gates`, async (t) => {
    const direct = await responsesOf(t, requests)
    const usual = await responsesOf(t, requests, throughGates)

    assert.equal(direct.byFastify, 0)
    assert.notEqual(usual.byFastify, 0)
    assert.deepEqual(
      direct.responses.map(({ status }) => status),
      statuses,
    )
    assert.deepEqual(direct.responses, usual.responses)
  })
}

test('a create whose idempotency key is in flight gets the conflict of the gates', async (t) => {
  const app = await startApp(t)
  const { create } = app.storage.pets
  const [started, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  app.storage.pets.create = async (...input) => {
    started.resolve()
    await held.promise
    return create(...input)
  }

  const first = app.sendJson('POST /v1/pets', rex, keyed)
  await started.promise
  const direct = await app.sendJson('POST /v1/pets', rex, keyed)
  const usual = await app.sendJson('POST /v1/pets', rex, { ...keyed, ...throughGates })
  held.resolve()

  assertError(direct, 'conflict')
  assert.deepEqual(comparable(direct), comparable(usual))
  assert.equal((await first).status, 201)
})

test('a create that cannot be stored gets 503, one report and one log line', async (t) => {
  const app = await startApp(t)
  app.storage.pets.create = () => Promise.reject(unavailable('Nothing can be written right now; try again.'))

  const answer = await app.create({ name: 'Rex', categoryId: 1 })

  assertError(answer, 'unavailable')
  assert.equal(answer.headers.get('retry-after') !== null, true)
  assert.equal(app.answered.filter(({ status }) => status === 503).length, 1)
})

test('a create that fails by a bug gets 500 without details', async (t) => {
  const app = await startApp(t)
  app.storage.pets.create = () => Promise.reject(new Error('a secret'))

  const answer = await app.create({ name: 'Rex', categoryId: 1 })

  assertError(answer, 'internal')
  assert.deepEqual(
    app.failures.map(({ message }) => message),
    ['a secret'],
  )
})

test('a body that arrives in pieces creates one pet, and one that never ends none', async (t) => {
  const app = await startApp(t)
  const { hostname, port, host } = new URL(app.origin)
  const body = '{"name":"Rex","categoryId":1}'
  const head = `POST /v1/pets HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${app.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`

  const whole = connect(Number(port), hostname).setEncoding('latin1')
  whole.write(head + body.slice(0, 5))
  const broken = connect(Number(port), hostname)
  broken.write(head + body.slice(0, 5), () => broken.destroy())
  await once(broken, 'close')
  whole.write(body.slice(5))
  const [answer] = (await once(whole, 'data')) as [string]
  whole.destroy()

  assert.match(answer, /^HTTP\/1\.1 201 /)
  assert.equal(((await app.send('/v1/pets')).body as unknown[]).length, 1)
})
