import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newKeySecret } from '../../src/inventory/key-secret.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { ask, askRepeatedly, sharedApp, withKey } from '../support/authentication-requests.ts'

const challenge = 'Bearer realm="petstore"'
const challengeAfterCredential = 'Bearer realm="petstore", error="invalid_token"'

const withoutCredential: Record<string, (app: TestApp) => string[]> = {
  'no Authorization header': () => [],
  'an empty Authorization header': () => ['Authorization:'],
  'an Authorization header of spaces': () => ['Authorization:    '],
  'the key in another header': ({ key }) => [`X-API-Key: ${key}`],
}

const badCredentials: Record<string, (app: TestApp) => string[] | Promise<string[]>> = {
  'a scheme without a key': () => ['Authorization: Bearer'],
  'a key without a scheme': ({ key }) => [`Authorization: ${key}`],
  'no space after the scheme': ({ key }) => [`Authorization: Bearer${key}`],
  'a tab after the scheme': ({ key }) => [`Authorization: Bearer\t${key}`],
  'the scheme Basic': ({ key }) => [`Authorization: Basic ${Buffer.from(`:${key}`).toString('base64')}`],
  'the scheme Token': ({ key }) => [`Authorization: Token ${key}`],
  'a key in quotes': ({ key }) => withKey(`"${key}"`),
  'a key and more text': ({ key }) => withKey(`${key} more`),
  'a key and a comma': ({ key }) => withKey(`${key},`),
  'a list of two credentials': ({ key }) => withKey(`${key}, Bearer ${key}`),
  'a text that is no key': () => withKey('abc'),
  'a text that is not ASCII': () => withKey('clé'),
  'the key in lower case': ({ key }) => withKey(key.toLowerCase()),
  'the key less its last character': ({ key }) => withKey(key.slice(0, -1)),
  'the key and one more character': ({ key }) => withKey(`${key}0`),
  'an unknown key of the right form': () => withKey(newKeySecret('production')),
  'a known key with a wrong checksum': async ({ makeKey }) => {
    const { secret } = await makeKey({ secret: mistyped(newKeySecret('production')) })
    return withKey(secret)
  },
  "a known key of the other environment's form": async ({ makeKey }) => {
    const { secret } = await makeKey({ secret: newKeySecret('staging') })
    return withKey(secret)
  },
  'an expired key': async ({ makeKey }) => {
    const { secret } = await makeKey({ expiresAt: Date.now() - 1 })
    return withKey(secret)
  },
  'a revoked key': async ({ makeKey, storage }) => {
    const { id, secret } = await makeKey()
    await storage.keys.revoke(id, Date.now())
    return withKey(secret)
  },
  'the same Authorization header twice': ({ key }) => [...withKey(key), ...withKey(key)],
  'a good Authorization header and a bad one': ({ key }) => [...withKey(key), 'Authorization: Basic abc'],
  'an empty Authorization header and a good one': ({ key }) => ['Authorization:', ...withKey(key)],
}

for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
  test(`the scheme is case-insensitive: ${scheme}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, [`Authorization: ${scheme} ${app.key}`])

    assert.equal(answer.status, 200)
  })
}

for (const spaces of [1, 2, 10]) {
  test(`the scheme and the key are separated by one or more spaces: ${spaces}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, [`Authorization: Bearer${' '.repeat(spaces)}${app.key}`])

    assert.equal(answer.status, 200)
  })
}

for (const [name, headers] of Object.entries(withoutCredential)) {
  test(`without a credential the challenge names no error: ${name}`, async () => {
    const app = await sharedApp()
    await askRepeatedly(app)

    const answer = await ask(app, headers(app))

    assertError(answer, 'unauthorized')
    assert.equal(answer.headers.get('www-authenticate'), challenge)
  })
}

for (const parameter of ['access_token', 'api_key', 'key', 'authorization']) {
  test(`a key in the query is not accepted: ${parameter}`, async () => {
    const app = await sharedApp()
    const start = `GET /v1/pets?${parameter}=${app.key}`
    await askRepeatedly(app, start)

    const answer = await ask(app, [], start)

    assertError(answer, 'unauthorized')
    assert.equal(answer.headers.get('www-authenticate'), challenge)
  })
}

for (const [name, headersOf] of Object.entries(badCredentials)) {
  test(`every bad credential gets the same 401, with error="invalid_token": ${name}`, async () => {
    const app = await sharedApp()
    const headers = await headersOf(app)
    const missing = await ask(app, [])
    await askRepeatedly(app)

    const answer = await ask(app, headers)

    assertError(answer, 'unauthorized')
    assert.equal(answer.text, missing.text)
    assert.equal(answer.headers.get('www-authenticate'), challengeAfterCredential)
  })
}

test('a read key can list and fetch animals', async (t) => {
  const app = await startApp(t)
  await app.create({ name: 'Rex', categoryId: 1 })
  const { secret } = await app.makeKey({ permission: 'read' })

  const list = await ask(app, withKey(secret))
  const one = await ask(app, withKey(secret), 'GET /v1/pets/1')

  assert.equal(list.status, 200)
  assert.equal(one.status, 200)
})

test('a read key cannot create a pet: 403', async (t) => {
  const app = await startApp(t)
  const { secret } = await app.makeKey({ permission: 'read' })

  const answer = await app.create({ name: 'Rex', categoryId: 1 }, { authorization: `Bearer ${secret}` })

  assertError(answer, 'forbidden')
  assert.equal((await app.send('/v1/pets')).text, '[]')
})

test('a write key can read', async (t) => {
  const app = await startApp(t)
  const { secret } = await app.makeKey({ permission: 'write' })

  const created = await app.create({ name: 'Rex', categoryId: 1 }, { authorization: `Bearer ${secret}` })
  const list = await ask(app, withKey(secret))

  assert.equal(created.status, 201)
  assert.equal(list.text, `[${created.text}]`)
})

function mistyped(key: string): string {
  return key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
}
