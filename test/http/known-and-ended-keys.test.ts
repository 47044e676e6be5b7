import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyHash, newKeySecret } from '../../src/inventory/key-secret.ts'
import { openStorage } from '../../src/storage/open.ts'
import { startApp, startAppOn } from '../support/app.ts'
import { postgres, sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { assertPassed } from '../support/promised-time.ts'
import { ask, askRepeatedly, withKey } from '../support/authentication-requests.ts'

const own = 'a-key-of-the-operators-own'
const ownKey = {
  hash: keyHash(own),
  key: { id: 'own_key', name: 'PETSTORE_API_KEY', permission: 'write', createdAt: 0 },
} as const

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
