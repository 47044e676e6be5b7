import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { unavailable } from '../../src/inventory/errors.ts'
import { startApp } from '../support/app.ts'
import { sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { comparable } from '../support/gates.ts'

const settings = { corsOrigins: ['https://shop.example'], rateLimit: 1_000, trustProxy: true }
const added = ['access-control-allow-origin', 'access-control-expose-headers', 'ratelimit', 'ratelimit-policy', 'vary']

test('CORS, a rate limit and a trusted proxy only add their headers to a create', async (t) => {
  const [plain, full] = [await startApp(t), await startApp(t, settings)]
  const pet = { name: 'ポチ 🐕 "x"', categoryId: -7, status: 'sold', id: 5, more: 'ignored' }

  const expected = comparable(await plain.create(pet))
  const { headers, ...rest } = comparable(await full.create(pet, { origin: 'https://shop.example' }))

  assert.deepEqual(
    Object.keys(headers).filter((name) => !(name in expected.headers)),
    added,
  )
  for (const name of added) delete headers[name]
  assert.equal(headers['location'], `${full.origin}/v1/pets/1`)
  assert.deepEqual(
    { ...rest, headers },
    { ...expected, headers: { ...expected.headers, location: headers['location'] } },
  )
})

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

/** The responses to requests, sent one after the other. */
async function responsesOf(t: TestContext, requests: readonly Sent[]) {
  const app = await startApp(t, { clock: () => 1_800_000_000_000 })
  const responses = []
  for (const [start, body, headers] of requests) responses.push(comparable(await app.sendJson(start, body, headers)))
  return responses
}

type Sent = readonly [start: string, body: string, headers?: Record<string, string>]

const rex = '{"name":"Rex","categoryId":1,"status":"available"}'
const keyed = { 'idempotency-key': '"once"' }

for (const [name, replays, statuses, requests] of [
  [
    'a pet with an idempotency key, its replay and another body',
    [0, 1],
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
    [1, 2],
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
] as [string, number[], number[], Sent[]][]) {
  test(`retries are answered like the first request, but for a header: ${name}`, async (t) => {
    const responses = await responsesOf(t, requests)

    assert.deepEqual(
      responses.map(({ status }) => status),
      statuses,
    )
    const [first, replay] = replays.map((index) => responses[index])
    const { 'idempotent-replayed': isReplayed, ...headers } = replay?.headers ?? {}
    assert.equal(isReplayed, 'true')
    assert.deepEqual({ ...replay, headers }, first)
  })
}

test('a create whose idempotency key is in flight is a conflict', async (t) => {
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
  const second = await app.sendJson('POST /v1/pets', rex, keyed)
  held.resolve()

  assertError(second, 'conflict')
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
