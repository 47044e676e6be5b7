import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { AppOptions } from '../../src/http/app.ts'
import { reasonOf } from '../../src/http/replies/errors.ts'
import type { Answered, Observer } from '../../src/http/replies/observe.ts'
import { keyHash, newKeySecret } from '../../src/inventory/key-secret.ts'
import type { ApiKey } from '../../src/inventory/keys.ts'
import { type Answer, rawRequest, readAnswers, startApp, type TestApp } from '../support/app.ts'
import { sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

type Refused = Parameters<Observer['refused']>[0]

interface Watched extends TestApp {
  answered: Answered[]
  refused: Refused[]
  failed: [error: Error, requestId: string | undefined][]
  /** The reasons of responses with status 503. */
  unavailable: string[]
}

async function startWatched(t: TestContext, options: Partial<AppOptions> = {}): Promise<Watched> {
  const answered: Answered[] = []
  const refused: Refused[] = []
  const failed: Watched['failed'] = []
  const unavailable: string[] = []
  const app = await startApp(t, {
    ...options,
    observer: {
      answered: (observation) => answered.push(observation),
      refused: (observation) => refused.push(observation),
      streamOpened: () => undefined,
      streamEnded: () => undefined,
      unavailable: (reason) => unavailable.push(reason),
      failed: (error, requestId) => failed.push([error, requestId]),
    },
  })
  return { ...app, answered, refused, failed, unavailable }
}

/** Returns when nothing is left to be observed: a server counts as closed a moment before its last connection does. */
async function settled({ app }: TestApp): Promise<void> {
  await app.close()
  for (let tick = 0; tick < 10; tick++) await setImmediate()
}

/** The only observation of `list`, once there is one: a client may have its answer a moment before. */
async function only<Observation>(list: Observation[]): Promise<Observation> {
  for (let wait = 0; list.length === 0 && wait < 2_000; wait++) await setTimeout(1)
  for (let tick = 0; tick < 10; tick++) await setImmediate()
  assert.equal(list.length, 1)
  return list[0] as Observation
}

async function ask(app: TestApp, start: string, headers: readonly string[] = []): Promise<Answer> {
  const raw = await app.sendRaw(
    rawRequest(start, ['Host: petstore', 'Connection: close', `Authorization: Bearer ${app.key}`, ...headers]),
  )
  return readAnswers(raw)[0] as Answer
}

for (const [start, route, status] of [
  ['GET /v1/pets', '/v1/pets', 200],
  ['GET /v1/pets/7', '/v1/pets/:petId', 404],
  ['POST /v1/pets', '/v1/pets', 400],
  ['GET /v1/nope', undefined, 404],
  ['DELETE /v1/pets', undefined, 405],
  ['OPTIONS /v1/pets', undefined, 204],
  ['GET /livez', '/livez', 200],
  ['GET /nope', undefined, 404],
] as const) {
  test(`a request is observed once, with its method, path and status: ${start}`, async (t) => {
    const app = await startWatched(t)

    const answer = await ask(app, start)

    const [method, path] = start.split(' ')
    const { milliseconds, requestId, ...observed } = await only(app.answered)
    const { id: keyId } = ((await app.storage.keys.list()) as [ApiKey])[0]
    const expectedKey = path?.startsWith('/v1/') ? keyId : undefined
    assert.deepEqual(observed, { keyId: expectedKey, method, path, route, status, isStream: false })
    assert.equal(requestId, answer.headers.get('x-request-id'))
    assert.ok(milliseconds > 0 && milliseconds < 60_000)
    assert.deepEqual(app.refused, [])
  })
}

test('a request answered by the response cache is observed once', async (t) => {
  const app = await startWatched(t)
  for (let times = 0; times < 3; times++) await ask(app, 'GET /v1/pets?limit=5')
  const [first] = app.answered.splice(0)

  const answer = await ask(app, 'GET /v1/pets?limit=5')

  const { milliseconds, requestId, ...observed } = await only(app.answered)
  const { milliseconds: _slower, requestId: otherId, ...before } = first as Answered
  assert.deepEqual(observed, before)
  assert.equal(requestId, answer.headers.get('x-request-id'))
  assert.notEqual(requestId, otherId)
  assert.ok(milliseconds > 0)
})

test('a request whose path cannot be decoded is observed once', async (t) => {
  const app = await startWatched(t)

  const answer = await ask(app, 'GET /v1/pets/%zz')

  const observed = await only(app.answered)
  assert.equal(observed.status, 400)
  assert.equal(observed.path, '/v1/pets/%zz')
  assert.equal(observed.requestId, answer.headers.get('x-request-id'))
})

test("the client's request id is the observed one", async (t) => {
  const app = await startWatched(t)

  await ask(app, 'GET /v1/pets', ['X-Request-Id: order-7'])

  assert.equal((await only(app.answered)).requestId, 'order-7')
})

for (const start of ['GET /v1/pets', 'GET /v1/nope', 'GET /v1/pets/%zz', 'PUT /v1/pets']) {
  test(`the id of the key is observed, never the key: ${start}`, async (t) => {
    const app = await startWatched(t)
    const { id, secret } = await app.makeKey()

    await app.sendRaw(rawRequest(start, ['Host: petstore', 'Connection: close', `Authorization: Bearer ${secret}`]))

    const observed = await only(app.answered)
    assert.equal(observed.keyId, id)
    assert.ok(!JSON.stringify(observed).includes(secret))
  })
}

test('PETSTORE_API_KEY is observed by its id', async (t) => {
  const own = 'a-key-of-the-operators-own'
  const key = { id: 'own_key', name: 'PETSTORE_API_KEY', permission: 'write', createdAt: 0 } as const
  const app = await startWatched(t, { ownKey: { hash: keyHash(own), key } })

  await app.send('/v1/pets', { headers: { authorization: `Bearer ${own}` } })

  assert.equal((await only(app.answered)).keyId, 'own_key')
})

for (const [name, authorization] of Object.entries({
  'no key': '',
  'an unknown key': `Bearer ${newKeySecret('production')}`,
  'another scheme': 'Basic cGV0OnBldA==',
})) {
  test(`a refused credential is observed without a key: ${name}`, async (t) => {
    const app = await startWatched(t)

    await app.send('/v1/pets', { headers: { authorization } })

    const observed = await only(app.answered)
    assert.equal(observed.status, 401)
    assert.equal(observed.keyId, undefined)
    assert.ok(authorization === '' || !JSON.stringify(observed).includes(authorization))
  })
}

test('the path is observed without its query', async (t) => {
  const app = await startWatched(t)

  await ask(app, `GET /v1/pets?limit=5&access_token=${app.key}`)

  assert.equal((await only(app.answered)).path, '/v1/pets')
})

for (const [environment, prefix] of [
  ['production', 'pet_live_'],
  ['staging', 'pet_test_'],
] as const) {
  for (const path of ['/v1/pets/KEY', '/v1/KEY/pets', '/KEY', '/v1/pets/%zz/KEY', '/v1/KEY/KEY']) {
    test(`a key in the path is not observed: ${path} with ${prefix}`, async (t) => {
      const app = await startWatched(t)
      const secret = newKeySecret(environment)

      await ask(app, `GET ${path.replaceAll('KEY', secret)}`)

      assert.equal((await only(app.answered)).path, path.replaceAll('KEY', `${prefix}…`))
    })
  }
}

test('a key of the operator, which has no form of its own, is neither observed nor returned as a request id', async (t) => {
  const app = await startWatched(t)
  const key = 'a-key-of-20-characters-or-more'
  const lines = ['Host: petstore', 'Connection: close', `Authorization: Bearer ${key}`, `X-Request-Id: my:${key}`]

  const raw = await app.sendRaw(rawRequest(`GET /v1/keys/${key}`, lines))

  const { path, requestId } = await only(app.answered)
  assert.equal(path, '/v1/keys/…')
  assert.ok(!requestId.includes(key) && !raw.includes(key))
})

test('a secret of a webhook and the key of a sandbox are not observed in the path', async (t) => {
  const app = await startWatched(t)

  await ask(app, 'GET /v1/pets/whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  await ask(app, 'GET /v1/sandbox_my-shop/pets')

  assert.deepEqual(
    app.answered.map(({ path }) => path),
    ['/v1/pets/whsec_…', '/v1/sandbox_…/pets'],
  )
})

test('a percent-encoded key in the path is not observed', async (t) => {
  const app = await startWatched(t)
  const secret = newKeySecret('production')
  const whole = secret.replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  const partly = secret.replace('_', '%5F').replace(/.$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)

  for (const spelled of [whole, whole.toUpperCase(), partly]) await ask(app, `GET /v1/pets/${spelled}%0A`)

  assert.deepEqual(
    app.answered.map(({ path }) => path),
    Array(3).fill('/v1/pets/pet_live_…%0A'),
  )
})

for (const [name, bytes] of Object.entries({
  'malformed HTTP': 'hello\r\n\r\n',
  'large headers': rawRequest('GET /v1/pets', ['Host: petstore', `X-Large: ${'a'.repeat(9_000)}`]),
  'a long address': rawRequest(`GET /${'a'.repeat(9_000)}`, ['Host: petstore']),
  CONNECT: rawRequest('CONNECT petstore.example:443', ['Host: petstore']),
})) {
  test(`an unreadable request is observed once, as refused: ${name}`, async (t) => {
    const app = await startWatched(t)

    const answer = readAnswers(await app.sendRaw(bytes))[0] as Answer

    const { code } = answer.body as { code: string }
    assert.deepEqual(await only(app.refused), {
      requestId: answer.headers.get('x-request-id'),
      status: answer.status,
      code,
    })
    assert.deepEqual(app.answered, [])
  })
}

test('an unexpected error is observed with the id of its request', async (t) => {
  const app = await startWatched(t, { metrics: () => Promise.reject(new Error('registry')) })

  const answer = await ask(app, 'GET /metrics')

  const [error, requestId] = await only(app.failed)
  assertError(answer, 'internal')
  assert.match(String(error), /registry/)
  assert.equal(requestId, answer.headers.get('x-request-id'))
})

test('an outage is observed as one sentence with its causes, not as an unexpected error', async (t) => {
  const cause = new Error('Nothing can be written.', { cause: new Error('The disk is full.') })
  const storage = { ...(await sqliteInMemory.open(t)), check: () => Promise.reject(cause) }
  const app = await startWatched(t, { storage })

  await ask(app, 'GET /readyz')

  assert.equal(await only(app.unavailable), 'The storage does not answer: Nothing can be written: The disk is full.')
  assert.deepEqual(app.failed, [])
})

test('a refusal is not observed as an unexpected error', async (t) => {
  const app = await startWatched(t)

  for (const start of ['GET /v1/nope', 'PUT /v1/pets', 'GET /v1/pets?limit=0', 'POST /v1/pets', 'GET /v1/%zz']) {
    await ask(app, start)
  }

  await settled(app)
  assert.deepEqual(app.failed, [])
})

const half = ['Content-Type: application/json', 'Content-Length: 100']

test('a client that disconnects during its body is not an unexpected error', async (t) => {
  const app = await startWatched(t)
  await app.send('/v1/pets')
  const received = once(app.app.server, 'request')
  const socket = connect(Number(new URL(app.origin).port), '127.0.0.1')

  socket.write(rawRequest('POST /v1/pets', ['Host: petstore', `Authorization: Bearer ${app.key}`, ...half]))
  await received
  socket.destroy()
  await settled(app)

  assert.deepEqual(app.failed, [])
})

for (const [name, headers, rest] of [
  ['a broken chunk', ['Content-Type: application/json', 'Transfer-Encoding: chunked'], 'zz\r\n'],
  ['a body that never comes', half, ''],
] as const) {
  async function sendUnreadable(t: TestContext, prepare?: (app: Watched) => Promise<unknown>): Promise<Watched> {
    const app = await startWatched(t, { connectionLimits: { bodyTimeoutMs: 50 } })
    await prepare?.(app)
    app.app.server.headersTimeout = 50
    const request = ['Host: petstore', `Authorization: Bearer ${app.key}`, ...headers]
    await app.sendRaw(rawRequest('POST /v1/pets', request) + rest)
    await settled(app)
    return app
  }

  test(`an unreadable body is not an unexpected error: ${name}`, async (t) => {
    const { failed } = await sendUnreadable(t)

    assert.deepEqual(failed, [])
  })

  test(`an unreadable body is observed once: ${name}`, async (t) => {
    const { answered, refused } = await sendUnreadable(t)

    assert.equal(answered.length + refused.length, 1)
  })

  test(`an unreadable body is observed once, also if the key is known: ${name}`, async (t) => {
    const { answered, refused } = await sendUnreadable(t, async (app) => {
      await ask(app, 'GET /v1/pets')
      await only(app.answered)
      app.answered.length = 0
    })

    assert.equal(answered.length + refused.length, 1)
  })
}

for (const [start, status] of [
  ['GET /v1/pets', 200],
  ['BREW /v1/pets', 405],
  ['POST /v1/pets', 408],
] as const) {
  test(`a span ends with the status of the response: ${start}`, async (t) => {
    const ended = Promise.withResolvers<number>()
    const app = await startApp(t, {
      connectionLimits: { bodyTimeoutMs: 1, lingerMs: 1 },
      tracing({ response: { outgoing } }) {
        outgoing.once('close', () => ended.resolve(outgoing.statusCode))
      },
    })
    const headers = ['Host: petstore', 'Connection: close', `Authorization: Bearer ${app.key}`]
    // The body of the last one never arrives.
    const body = status === 408 ? ['Content-Type: application/json', 'Content-Length: 9'] : []

    const response = await app.sendRaw(rawRequest(start, [...headers, ...body]))

    assert.match(response, new RegExp(`^HTTP/1.1 ${status} `))
    assert.equal(await ended.promise, status)
  })
}

test('a reason says once what an error and its cause both say', () => {
  const late = new Error('Nothing can be written: a write did not finish within 5 ms.')

  assert.equal(
    reasonOf(new Error('Nothing can be written.', { cause: late })),
    'Nothing can be written: a write did not finish within 5 ms.',
  )
  assert.equal(
    reasonOf(new Error('It failed.', { cause: new Error('The disk is full.') })),
    'It failed: The disk is full.',
  )
})
