import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { reasonOf } from '../../src/http/replies/errors.ts'
import { type Answer, rawRequest, readAnswers, type TestApp } from '../support/app.ts'
import { sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { ask, only, startWatched, type Watched } from '../support/observed-requests.ts'

const half = ['Content-Type: application/json', 'Content-Length: 100']

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

/** Returns when nothing is left to be observed: a server counts as closed a moment before its last connection does. */
async function settled({ app }: TestApp): Promise<void> {
  await app.close()
  for (let tick = 0; tick < 10; tick++) await setImmediate()
}
