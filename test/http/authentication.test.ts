import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyHash, newKeySecret } from '../../src/inventory/key-secret.ts'
import { openStorage } from '../../src/storage/open.ts'
import { type Answer, rawRequest, readAnswers, shareApp, startApp, startAppOn, type TestApp } from '../support/app.ts'
import { postgres, sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { assertPassed } from '../support/promised-time.ts'

const sharedApp = shareApp()

const challenge = 'Bearer realm="petstore"'
const challengeAfterCredential = 'Bearer realm="petstore", error="invalid_token"'

/** Sends exactly these header lines beside Host and Connection. */
async function ask(app: TestApp, headers: readonly string[], start = 'GET /v1/pets'): Promise<Answer> {
  const raw = await app.sendRaw(rawRequest(start, ['Host: petstore', 'Connection: close', ...headers]))
  return readAnswers(raw).at(-1) as Answer
}

/** Asks often enough with a good key for the answer to come from memory. */
async function askRepeatedly(app: TestApp, start?: string): Promise<void> {
  for (let times = 0; times < 3; times++) assert.equal((await ask(app, withKey(app.key), start)).status, 200)
}

function withKey(key: string): string[] {
  return [`Authorization: Bearer ${key}`]
}

function mistyped(key: string): string {
  return key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
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

const withoutCredential: Record<string, (app: TestApp) => string[]> = {
  'no Authorization header': () => [],
  'an empty Authorization header': () => ['Authorization:'],
  'an Authorization header of spaces': () => ['Authorization:    '],
  'the key in another header': ({ key }) => [`X-API-Key: ${key}`],
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

test('staging accepts pet_test_ keys', async (t) => {
  const app = await startApp(t, { environment: 'staging' })

  const answer = await ask(app, withKey(app.key))

  assert.match(app.key, /^pet_test_/)
  assert.equal(answer.status, 200)
})

test('staging refuses pet_live_ keys', async (t) => {
  const app = await startApp(t, { environment: 'staging' })
  const { secret } = await app.makeKey({ secret: newKeySecret('production') })

  const answer = await ask(app, withKey(secret))

  assertError(answer, 'unauthorized')
})

test('a key is refused from its expiry on', async (t) => {
  const expiresAt = Date.parse('2027-01-01T00:00:00Z')
  let now = expiresAt - 1
  const app = await startApp(t, { clock: () => now })
  const { secret } = await app.makeKey({ expiresAt })

  await askRepeatedly(app)
  const before = await ask(app, withKey(secret))
  now = expiresAt
  const after = await ask(app, withKey(secret))

  assert.equal(before.status, 200)
  assertError(after, 'unauthorized')
})

test('a revoked key is refused at the next request', async (t) => {
  const app = await startApp(t)
  const { id, secret } = await app.makeKey()

  await askRepeatedly(app)
  const before = await ask(app, withKey(secret))
  await app.storage.keys.revoke(id, Date.now())
  const after = await ask(app, withKey(secret))

  assert.equal(before.status, 200)
  assertError(after, 'unauthorized')
})

test('a key revoked by another process is refused at the next request', async (t) => {
  const url = await sqlite.url(t)
  const here = await openStorage(url)
  t.after(() => here.close())
  const elsewhere = await openStorage(url)
  t.after(() => elsewhere.close())
  const app = await startApp(t, { storage: here })
  const { id, secret } = await app.makeKey()

  await askRepeatedly(app)
  const before = await ask(app, withKey(secret))
  await elsewhere.keys.revoke(id, Date.now())
  const after = await ask(app, withKey(secret))

  assert.equal(before.status, 200)
  assertError(after, 'unauthorized')
})

test('postgres: a key revoked on another instance is refused within a second', async (t) => {
  const url = await postgres.url(t)
  const [here, there] = [await startAppOn(t, url), await startAppOn(t, url)]
  const { id, secret } = await here.makeKey()
  const headers = { authorization: `Bearer ${secret}` }
  for (const app of [here, there]) assert.equal((await app.send('/v1/pets', { headers })).status, 200)

  assert.equal((await there.send(`/v1/keys/${id}/revoke`, { method: 'POST' })).status, 200)
  const start = performance.now()
  while ((await here.send('/v1/pets', { headers })).status === 200) {}

  assertPassed(1_000, start)
  assertError(await here.send('/v1/pets', { headers }), 'unauthorized')
  assertError(await there.send('/v1/pets', { headers }), 'unauthorized')
})

test('a new key works at once, even if it was refused before', async (t) => {
  const app = await startApp(t)
  const secret = newKeySecret('production')

  const before = await ask(app, withKey(secret))
  await app.makeKey({ secret })
  const after = await ask(app, withKey(secret))

  assertError(before, 'unauthorized')
  assert.equal(after.status, 200)
})

test('a rotated key works until the stated time, beside the new key', async (t) => {
  const until = Date.parse('2027-01-01T00:00:00Z')
  let now = until - 1
  const app = await startApp(t, { clock: () => now })
  const old = await app.makeKey()
  const secret = newKeySecret('production')
  const replacement = {
    id: 'key_new',
    name: 'new',
    permission: 'write',
    hash: keyHash(secret),
    createdAt: now,
  } as const
  await app.storage.keys.rotate(old.id, replacement, until)

  const before = [await ask(app, withKey(old.secret)), await ask(app, withKey(secret))]
  now = until
  const after = [await ask(app, withKey(old.secret)), await ask(app, withKey(secret))]

  assert.deepEqual(
    before.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual(
    after.map(({ status }) => status),
    [401, 200],
  )
})

test('each use of a stored key updates its last-used time', async (t) => {
  const now = Date.parse('2027-01-01T00:00:00Z')
  const noted: unknown[] = []
  const app = await startApp(t, { clock: () => now, keyUsed: ({ name }, at) => noted.push([name, at]) })
  const used = await app.makeKey({ name: 'used' })
  await app.makeKey({ name: 'unused' })
  const revoked = await app.makeKey({ name: 'revoked' })
  await app.storage.keys.revoke(revoked.id, now)

  for (const { secret } of [used, revoked, used]) await ask(app, withKey(secret))

  assert.deepEqual(noted, [
    ['used', now],
    ['used', now],
  ])
})

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

const own = 'a-key-of-the-operators-own'
const ownKey = {
  hash: keyHash(own),
  key: { id: 'own_key', name: 'PETSTORE_API_KEY', permission: 'write', createdAt: 0 },
} as const

test('PETSTORE_API_KEY works beside the stored keys and is not stored', async (t) => {
  const app = await startApp(t, { ownKey })

  const withOwn = await app.create({ name: 'Rex', categoryId: 1 }, { authorization: `Bearer ${own}` })
  const withStored = await ask(app, withKey(app.key))

  assert.equal(withOwn.status, 201)
  assert.equal(withStored.status, 200)
  assert.deepEqual(
    (await app.storage.keys.list()).map(({ name }) => name),
    ['test'],
  )
})

for (const wrong of [own.toUpperCase(), own.slice(0, -1), `${own}x`, ownKey.hash, ownKey.key.id]) {
  test(`PETSTORE_API_KEY is compared exactly: ${wrong} is refused`, async (t) => {
    const app = await startApp(t, { ownKey })

    const answer = await ask(app, withKey(wrong))

    assertError(answer, 'unauthorized')
  })
}

for (const start of ['GET /v1/pets', 'POST /v1/pets', 'GET /v1/pets/1', 'OPTIONS /v1/pets']) {
  test(`every operation requires a key: ${start}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, [], start)

    assertError(answer, 'unauthorized')
  })
}

for (const start of [
  'GET /v1',
  'GET /v1?limit=1',
  'GET /v1/',
  'GET /v1/nope',
  'GET /v1/pets/',
  'GET /v1/pets/1/more',
  'GET /v1/Pets',
  'GET /v1//pets',
  'GET /%761/pets',
  'GET http://petstore/v1/nope',
  'PUT /v1/pets',
  'DELETE /v1/pets/1',
  'PATCH /v1/nope',
  'OPTIONS /v1/nope',
  'TRACE /v1/pets',
  'PROPFIND /v1/pets',
]) {
  test(`unknown paths and wrong methods under /v1 require a key first: ${start}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, [], start)

    assertError(answer, 'unauthorized')
  })
}

for (const start of [
  'GET /livez',
  'GET /readyz',
  'GET /openapi.json',
  'GET /asyncapi.json',
  'GET /',
  'GET /console/main.js',
  'GET /docs',
  'GET /docs/start.js',
  'GET /docs/reference.js',
]) {
  test(`health, the document, the console and the reference page need no key: ${start}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, [], start)

    assert.equal(answer.status, 200)
  })
}

for (const path of ['/v1/pets', '/v1/pets/1']) {
  test(`a CORS preflight needs no key: ${path}`, async () => {
    const app = await sharedApp()

    const answer = await ask(
      app,
      ['Origin: https://shop.example', 'Access-Control-Request-Method: GET'],
      `OPTIONS ${path}`,
    )

    assert.equal(answer.status, 204)
  })
}

for (const headers of [
  ['Origin: https://shop.example'],
  ['Access-Control-Request-Method: GET'],
  ['Origin: https://shop.example', 'Access-Control-Request-Method: GET'],
]) {
  test(`other methods with the headers of a preflight need a key: ${headers.join(', ')}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, headers)

    assertError(answer, 'unauthorized')
  })
}
