import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyHash } from '../../src/inventory/key-secret.ts'
import { startApp } from '../support/app.ts'
import { postgres, sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { followEvents } from '../support/event-stream.ts'
import { assertPassed } from '../support/promised-time.ts'
import { as, bodyOf, keysOf, later, now } from '../support/key-requests.ts'

for (const engine of [sqliteInMemory, postgres]) {
  test(`${engine.name}: createKey returns 201, Location and a secret that works at once and is never shown again`, async (t) => {
    const app = await startApp(t, { engine, clock: () => now })

    const answer = await app.sendJson('POST /v1/keys', { name: 'till', permission: 'read', expiresAt: later })

    const { key, ...made } = bodyOf(answer)
    const { id } = made
    const createdAt = new Date(now).toISOString()
    assert.deepEqual(made, { id, name: 'till', permission: 'read', state: 'active', createdAt, expiresAt: later })
    assert.match(key, /^pet_live_[0-9A-Za-z]{38}$/)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal((await app.send('/v1/pets', { headers: as(key) })).status, 200)
    assertError(await app.create({ name: 'Rex', categoryId: 1 }, as(key)), 'forbidden')
    const { pathname } = new URL(answer.headers.get('location') ?? '')
    assert.deepEqual(bodyOf(await app.send(pathname), 200), made)
    assert.deepEqual((await keysOf(app)).at(-1), made)
  })

  test(`${engine.name}: revokeKey ends a key at once and its streams within a second`, async (t) => {
    const app = await startApp(t, { engine })
    const { id, secret } = await app.makeKey()
    const stream = await followEvents(t, { ...app, key: secret })

    const revoked = bodyOf(await app.send(`/v1/keys/${id}/revoke`, { method: 'POST' }), 200)
    const start = performance.now()
    const refused = await app.send('/v1/pets', { headers: as(secret) })
    await stream.ended
    assertPassed(1_000, start)
    const again = bodyOf(await app.send(`/v1/keys/${id}/revoke`, { method: 'POST' }), 200)

    assert.deepEqual([revoked.state, again], ['revoked', revoked])
    assertError(refused, 'unauthorized')
  })

  test(`${engine.name}: updateKey renames a key: its owner sees the name, later events have it, earlier ones do not`, async (t) => {
    const app = await startApp(t, { engine })
    const { id, secret } = await app.makeKey({ name: 'till', permission: 'write' })
    await app.create({ name: 'Rex', categoryId: 1 }, as(secret))

    const answer = await app.sendJson(`PATCH /v1/keys/${id}`, { name: 'Ann’s till' })

    const renamed = bodyOf(answer, 200)
    assert.deepEqual([renamed.id, renamed.name, renamed.state], [id, 'Ann’s till', 'active'])
    assert.deepEqual(bodyOf(await app.send(`/v1/keys/${id}`), 200), renamed)
    const own = (await app.send('/console/key', { headers: as(secret) })).body as { name: string }
    assert.equal(own.name, 'Ann’s till')
    await app.create({ name: 'Tom', categoryId: 1 }, as(secret))
    const events = (await app.send('/v1/events')).body as { keyname: string }[]
    assert.deepEqual(
      events.map(({ keyname }) => keyname),
      ['till', 'Ann’s till'],
    )
  })

  test(`${engine.name}: the last admin key cannot be revoked, nor replaced by one that ends earlier`, async (t) => {
    const app = await startApp(t, { engine, clock: () => now })
    const [{ id } = { id: '' }] = await keysOf(app)
    await app.makeKey({ permission: 'admin', expiresAt: Date.parse(later) })

    const refusals = [
      await app.send(`/v1/keys/${id}/revoke`, { method: 'POST' }),
      await app.sendJson(`POST /v1/keys/${id}/rotate`, { expiresAt: later }),
    ]

    for (const refusal of refusals) assertError(refusal, 'conflict')
    assert.equal((await keysOf(app))[0]?.state, 'active')
    assert.equal((await app.sendJson(`POST /v1/keys/${id}/rotate`, {})).status, 201)
    assert.equal((await app.send(`/v1/keys/${id}/revoke`, { method: 'POST' })).status, 200)
  })

  test(`${engine.name}: PETSTORE_API_KEY cannot revoke the last stored admin key either`, async (t) => {
    const own = 'a-key-of-the-operators-own'
    const key = { id: 'own_key', name: 'PETSTORE_API_KEY', permission: 'admin', createdAt: 0 } as const
    const app = await startApp(t, { engine, ownKey: { hash: keyHash(own), key } })
    const [{ id } = { id: '' }] = await keysOf(app)
    const writer = await app.makeKey({ permission: 'write' })
    const revoke = (keyId: string) => app.send(`/v1/keys/${keyId}/revoke`, { method: 'POST', headers: as(own) })

    assertError(await revoke(id), 'conflict')
    assert.equal((await revoke(writer.id)).status, 200)
    assert.equal((await app.send('/v1/keys')).status, 200)
  })

  test(`${engine.name}: two admins that revoke each other at once leave one of them`, async (t) => {
    const app = await startApp(t, { engine })
    const [first] = await keysOf(app)
    const other = await app.makeKey({ permission: 'admin' })

    const answers = await Promise.all([
      app.send(`/v1/keys/${other.id}/revoke`, { method: 'POST' }),
      app.send(`/v1/keys/${first?.id}/revoke`, { method: 'POST', headers: as(other.secret) }),
    ])

    assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), ['200', '401'])
    const left = answers[0]?.status === 200 ? app.key : other.secret
    assert.equal((await app.send('/v1/keys', { headers: as(left) })).status, 200)
  })
}

for (const engine of [sqliteInMemory, postgres]) {
  test(`${engine.name}: an id that no engine can store is 404`, async (t) => {
    const app = await startApp(t, { engine })

    assertError(await app.send('/v1/keys/a%00'), 'not_found')
    assertError(await app.sendJson('PATCH /v1/keys/a%00', { name: 'a' }), 'not_found')
    assertError(await app.send('/v1/keys/a%00/revoke', { method: 'POST' }), 'not_found')
    assertError(await app.sendJson('POST /v1/keys/a%00/rotate', {}), 'not_found')
    assert.deepEqual(app.failures, [])
  })
}

for (const permission of ['read', 'write'] as const) {
  test(`a ${permission} key may not manage keys: 403`, async (t) => {
    const app = await startApp(t)
    const { id, secret } = await app.makeKey({ permission })
    const headers = as(secret)

    const answers = [
      await app.send('/v1/keys', { headers }),
      await app.send(`/v1/keys/${id}`, { headers }),
      await app.sendJson('POST /v1/keys', { name: 'mine', permission: 'read' }, headers),
      await app.sendJson(`PATCH /v1/keys/${id}`, { name: 'mine' }, headers),
      await app.send(`/v1/keys/${id}/revoke`, { method: 'POST', headers }),
      await app.sendJson(`POST /v1/keys/${id}/rotate`, {}, headers),
    ]

    for (const answer of answers) assertError(answer, 'forbidden')
    assert.equal((await keysOf(app)).length, 2)
  })
}

test('listKeys has no secret and no hash', async (t) => {
  const app = await startApp(t)
  const { key } = bodyOf(await app.sendJson('POST /v1/keys', { name: 'till' }))

  const all = await keysOf(app)

  assert.deepEqual(
    new Set(all.flatMap((shown) => Object.keys(shown))),
    new Set(['id', 'name', 'permission', 'state', 'createdAt']),
  )
  assert.equal(JSON.stringify(all).includes(key), false)
})

test('a new key may write unless its permission is stated', async (t) => {
  const app = await startApp(t)

  const { key, permission } = bodyOf(await app.sendJson('POST /v1/keys', { name: 'till' }))

  assert.equal(permission, 'write')
  assert.equal((await app.create({ name: 'Rex', categoryId: 1 }, as(key))).status, 201)
})

test('a key of staging has the prefix of staging', async (t) => {
  const app = await startApp(t, { environment: 'staging' })

  const { key } = bodyOf(await app.sendJson('POST /v1/keys', { name: 'till' }))

  assert.match(key, /^pet_test_/)
})

for (const [name, body, message] of [
  ['no name', {}, /^name is missing/],
  ['an empty name', { name: ' ' }, /^name must be/],
  ['a long name', { name: 'x'.repeat(101) }, /^name must be a string of 1 to 100 characters/],
  ['an unknown permission', { name: 'till', permission: 'root' }, /^permission must be one of read, write, admin/],
  ['a past expiry', { name: 'till', expiresAt: '2026-12-31T23:59:59Z' }, /^expiresAt must be a time in the future/],
  [
    'an expiry now',
    { name: 'till', expiresAt: '2027-01-01T01:00:00+01:00' },
    /^expiresAt must be a time in the future/,
  ],
  ['a day that does not exist', { name: 'till', expiresAt: '2027-02-31T00:00:00Z' }, /^expiresAt must be a time such/],
  ['a date without a time', { name: 'till', expiresAt: '2027-02-01' }, /^expiresAt must be a time such/],
  ['a year of five digits', { name: 'till', expiresAt: '9999-12-31T23:59:59-01:00' }, /^expiresAt must be a time such/],
  ['an expiry that is null', { name: 'till', expiresAt: null }, /^expiresAt must be a time such/],
] as const) {
  test(`createKey refuses ${name}`, async (t) => {
    const app = await startApp(t, { clock: () => now })

    const answer = await app.sendJson('POST /v1/keys', body)

    assertError(answer, 'invalid_body')
    assert.match((answer.body as { message: string }).message, message)
    assert.equal((await keysOf(app)).length, 1)
  })
}

for (const body of [{}, { name: null }, { name: ' ' }, { name: 'x'.repeat(101) }]) {
  test(`updateKey refuses ${JSON.stringify(body).slice(0, 20)}`, async (t) => {
    const app = await startApp(t)
    const { id } = await app.makeKey({ name: 'till' })

    const answer = await app.sendJson(`PATCH /v1/keys/${id}`, body)

    assertError(answer, 'invalid_body')
    assert.equal(answer.headers.get('invalid-fields'), 'name')
    assert.equal(bodyOf(await app.send(`/v1/keys/${id}`), 200).name, 'till')
  })
}

test('an Idempotency-Key is refused where the answer has a secret, and makes no key', async (t) => {
  const app = await startApp(t)
  const { id } = await app.makeKey()
  const headers = { 'idempotency-key': 'once' }

  assertError(await app.sendJson('POST /v1/keys', { name: 'till' }, headers), 'invalid_parameter')
  assertError(await app.sendJson(`POST /v1/keys/${id}/rotate`, {}, headers), 'invalid_parameter')
  assert.equal((await keysOf(app)).length, 2)
})

test('a key that does not exist is 404', async (t) => {
  const app = await startApp(t)

  assertError(await app.send('/v1/keys/key_nobody'), 'not_found')
  assertError(await app.sendJson('PATCH /v1/keys/key_nobody', { name: 'a' }), 'not_found')
  assertError(await app.send('/v1/keys/key_nobody/revoke', { method: 'POST' }), 'not_found')
  assertError(await app.sendJson('POST /v1/keys/key_nobody/rotate', {}), 'not_found')
})

test('secrets of new keys are neither observed nor in events', async (t) => {
  const app = await startApp(t)
  const { key, id } = bodyOf(await app.sendJson('POST /v1/keys', { name: 'till' }))
  const rotated = bodyOf(await app.sendJson(`POST /v1/keys/${id}/rotate`, {}))

  const seen = JSON.stringify(app.answered) + (await app.send('/v1/events')).text

  for (const secret of [key, rotated.key]) assert.equal(seen.includes(secret), false)
})
