import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CurrentInvitation } from '../../src/contract/invitation.ts'
import { keyHash } from '../../src/inventory/key-secret.ts'
import { postgres, sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { anna, as, current, invite, list, now, redeem, startAt } from '../support/invitation-requests.ts'

for (const engine of [sqliteInMemory, postgres]) {
  test(`${engine.name}: of several redeems of an invitation at once one succeeds`, async (t) => {
    const app = await startAt(t, { engine })
    const { token } = await invite(app)

    const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(app, token)))

    assert.deepEqual(
      [201, 401].map((wanted) => answers.filter(({ status }) => status === wanted).length),
      [1, 7],
    )
    assert.equal((await app.storage.keys.list()).filter(({ name }) => name === 'Anna').length, 1)
  })

  test(`${engine.name}: unknown, used, removed, expired and ended tokens get the same 401`, async (t) => {
    const app = await startAt(t, { engine })
    const admin = await app.makeKey({ permission: 'admin' })
    const [used, removed, expired, ended] = [
      await invite(app),
      await invite(app),
      await invite(app, { ...anna, expiresAt: new Date(now + 1_000).toISOString() }),
      await invite(app, anna, as(admin.secret)),
    ]
    assert.equal((await redeem(app, used.token)).status, 201)
    assert.equal((await app.send(`/v1/invitations/${removed.id}`, { method: 'DELETE' })).status, 204)
    assert.equal((await app.send(`/v1/keys/${admin.id}/revoke`, { method: 'POST' })).status, 200)
    app.clock.now += 1_000

    const states = (await list(app)).map(({ id, state }) => [id, state])
    assert.deepEqual(states, [
      [expired.id, 'ended'],
      [ended.id, 'ended'],
    ])
    const refusals = []
    for (const token of [
      `pet_invite_${'x'.repeat(32)}`,
      'x',
      ...[used, removed, expired, ended].map((of) => of.token),
    ]) {
      const answer = await redeem(app, token)
      assertError(answer, 'unauthorized')
      refusals.push([answer.text, answer.headers.get('www-authenticate')])
      const looked = await current(app, token)
      assertError(looked, 'unauthorized')
      refusals.push([looked.text, looked.headers.get('www-authenticate')])
    }
    assert.equal(new Set(refusals.map((refusal) => refusal.join())).size, 1)
    assert.equal(refusals[0]?.[1], 'Bearer realm="petstore", error="invalid_token"')
    assert.equal((await app.storage.keys.list()).filter(({ name }) => name === 'Anna').length, 1)
  })
}

for (const engine of [sqliteInMemory, postgres]) {
  test(`${engine.name}: the token alone says who invites, for what and until when, and stays open`, async (t) => {
    const app = await startAt(t, { engine })
    const admin = await app.makeKey({ name: 'Ms. Ahmadi', permission: 'admin' })
    const { token, expiresAt } = await invite(app, { name: 'Anna', permission: 'read' }, as(admin.secret))

    const answer = await current(app, token)

    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, { name: 'Anna', permission: 'read', invitedBy: 'Ms. Ahmadi', expiresAt })
    assert.ok(!answer.text.includes(token))
    assert.equal((await current(app, token)).text, answer.text)
    assert.equal((await app.send('/v1/invitations/current', { method: 'HEAD', headers: as(token) })).status, 200)
    const etag = answer.headers.get('etag') ?? ''
    assert.equal((await current(app, token, { 'if-none-match': etag })).status, 304)
    assert.equal((await redeem(app, token)).status, 201)
    assertError(await current(app, token, { 'if-none-match': etag }), 'unauthorized')
  })
}

test('an invitation of the command line or of a key that is not stored says so', async (t) => {
  const app = await startAt(t)
  const made = { name: 'Anna', permission: 'write' } as const
  const tokens = ['a', 'b'].map((letter) => `pet_invite_${letter.repeat(32)}`) as [string, string]
  await app.storage.invitations.create({ ...made, hash: keyHash(tokens[0]) })
  await app.storage.invitations.create({ ...made, hash: keyHash(tokens[1]) }, 'own_5enuBK')

  const inviters = []
  for (const token of tokens) inviters.push(((await current(app, token)).body as CurrentInvitation).invitedBy)

  assert.deepEqual(inviters, ['command line', 'PETSTORE_API_KEY'])
})

test('wrong tokens count together, whether they look at an invitation or redeem it', async (t) => {
  const app = await startAt(t)
  const { token } = await invite(app)

  for (let tries = 0; tries < 5; tries++) {
    assertError(await current(app, 'x'), 'unauthorized')
    assertError(await redeem(app, 'x'), 'unauthorized')
  }

  assertError(await current(app, 'x'), 'rate_limited')
  assertError(await redeem(app, 'x'), 'rate_limited')
  assert.equal((await current(app, token)).status, 200)
})

test('the token of an invitation opens nothing else, and a key redeems nothing', async (t) => {
  const app = await startAt(t)
  const { token } = await invite(app, { name: 'Anna', permission: 'admin' })

  for (const path of ['/v1/pets', '/v1/invitations', '/v1/keys', '/v1/nothing', '/console/key', '/v1/invitations/1'])
    assertError(await app.send(path, { headers: as(token) }), 'unauthorized')
  assertError(await app.send('/v1/invitations/1', { method: 'DELETE', headers: as(token) }), 'unauthorized')
  assertError(await app.send('/v1/invitations/redeem', { headers: as(token) }), 'unauthorized')
  assertError(await redeem(app, app.key), 'unauthorized')
  assert.deepEqual((await list(app)).length, 1)
})

test('without a token, with two or with another scheme nothing is redeemed: 401', async (t) => {
  const app = await startAt(t)
  const { token } = await invite(app)

  const none = await fetch(`${app.origin}/v1/invitations/redeem`, { method: 'POST' })
  assert.deepEqual([none.status, none.headers.get('www-authenticate')], [401, 'Bearer realm="petstore"'])
  for (const authorization of [`Basic ${token}`, token, `Bearer ${token} ${token}`, 'Bearer', ''])
    assertError(await redeem(app, '', { authorization }), 'unauthorized')
  assertError(
    await app.send(`/v1/invitations/redeem?token=${token}`, { method: 'POST', headers: as('x') }),
    'unauthorized',
  )
  const twice = `POST /v1/invitations/redeem HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`
  const header = `Authorization: Bearer ${token}\r\n`
  assert.match(await app.sendRaw(`${twice}${header}${header}\r\n`), /^HTTP\/1\.1 401 /)
  assert.deepEqual((await list(app)).length, 1)
})

test('redeem has a path of its own: 405 with its methods for anything but POST', async (t) => {
  const app = await startAt(t)

  for (const method of ['GET', 'DELETE', 'PATCH']) {
    const answer = await app.send('/v1/invitations/redeem', { method })
    assertError(answer, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), 'OPTIONS, POST')
  }
})

test('tokens are neither stored, listed nor observed', async (t) => {
  const app = await startAt(t)
  const { token } = await invite(app)

  await redeem(app, 'x')
  await app.send(`/v1/invitations?token=${token}`, { headers: { 'x-request-id': token } })
  await app.send(`/v1/${token}`)
  const stored = await app.storage.invitations.findByHash(keyHash(token))
  const listed = await app.send('/v1/invitations')
  assert.equal((await redeem(app, token)).status, 201)
  const events = await app.send('/v1/events')

  const shown = (value: unknown) =>
    JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}` : item))
  assert.ok(stored)
  for (const text of [shown(stored), listed.text, events.text, shown(app.answered)]) assert.ok(!text.includes(token))
  assert.ok(!listed.text.includes(stored.hash))
})

test('an address may try ten wrong tokens a minute, and the right one works nevertheless', async (t) => {
  const app = await startAt(t)
  const { token } = await invite(app)
  for (let tries = 1; tries <= 10; tries++) assertError(await redeem(app, 'x'), 'unauthorized')
  app.clock.now += 59_000

  const refused = await redeem(app, 'x')

  assertError(refused, 'rate_limited')
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal((await app.send('/v1/pets')).status, 200)
  assert.equal((await redeem(app, token)).status, 201)
  assertError(await redeem(app, token), 'rate_limited')
  app.clock.now += 1_000
  assertError(await redeem(app, token), 'unauthorized')
})

test('behind a trusted proxy each client has its own tries, otherwise the proxy has', async (t) => {
  for (const trustProxy of [true, false]) {
    const app = await startAt(t, { trustProxy })
    const from = (address: string) => redeem(app, 'x', { 'x-forwarded-for': address })
    for (let tries = 1; tries <= 11; tries++) await from('192.0.2.1')

    assert.equal((await from('192.0.2.1')).status, 429)
    assert.equal((await from('192.0.2.2')).status, trustProxy ? 401 : 429)
  }
})
