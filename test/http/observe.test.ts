import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answered } from '../../src/http/replies/observe.ts'
import { keyHash, newKeySecret } from '../../src/inventory/key-secret.ts'
import type { ApiKey } from '../../src/inventory/keys.ts'
import { rawRequest, startApp } from '../support/app.ts'
import { ask, only, startWatched } from '../support/observed-requests.ts'

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
    const askedAt = performance.now()

    const answer = await ask(app, start)

    const [method, path] = start.split(' ')
    const { milliseconds, requestId, ...observed } = await only(app.answered)
    const { id: keyId } = ((await app.storage.keys.list()) as [ApiKey])[0]
    const expectedKey = path?.startsWith('/v1/') ? keyId : undefined
    assert.deepEqual(observed, { keyId: expectedKey, method, path, route, status, isStream: false })
    assert.equal(requestId, answer.headers.get('x-request-id'))
    assert.ok(milliseconds > 0 && milliseconds < performance.now() - askedAt)
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
