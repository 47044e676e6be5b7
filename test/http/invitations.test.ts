import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { CreatedInvitation, Invitation } from '../../src/contract/invitation.ts'
import type { CreatedKey } from '../../src/contract/key.ts'
import { keyHash } from '../../src/inventory/key-secret.ts'
import { type Answer, startApp, type TestApp } from '../support/app.ts'
import { postgres, sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

const now = Date.parse('2027-01-01T00:00:00Z')
const anna = { name: 'Anna', permission: 'write' }

function as(secret: string): { authorization: string } {
  return { authorization: `Bearer ${secret}` }
}

async function startAt(t: TestContext, options: Parameters<typeof startApp>[1] = {}) {
  const clock = { now }
  return { clock, ...(await startApp(t, { clock: () => clock.now, ...options })) }
}

async function invite(app: Pick<TestApp, 'sendJson'>, body: object = anna, headers = {}): Promise<CreatedInvitation> {
  const answer = await app.sendJson('POST /v1/invitations', body, headers)
  assert.equal(answer.status, 201, answer.text)
  return answer.body as CreatedInvitation
}

function redeem({ send }: Pick<TestApp, 'send'>, token: string, headers = {}): Promise<Answer> {
  return send('/v1/invitations/redeem', { method: 'POST', headers: { ...as(token), ...headers } })
}

async function list({ send }: Pick<TestApp, 'send'>): Promise<Invitation[]> {
  return (await send('/v1/invitations')).body as Invitation[]
}

for (const engine of [sqliteInMemory, postgres]) {
  test(`${engine.name}: an invitation becomes a key with its name and permission, once`, async (t) => {
    const app = await startAt(t, { engine })
    const answer = await app.sendJson('POST /v1/invitations', { name: 'Anna', permission: 'read' })
    const { token, link, ...invitation } = answer.body as CreatedInvitation
    assert.deepEqual([answer.status, answer.headers.get('cache-control')], [201, 'no-store'])
    const { invitedBy } = invitation
    assert.deepEqual(invitation, {
      id: 1,
      name: 'Anna',
      permission: 'read',
      state: 'open',
      invitedBy,
      createdAt: '2027-01-01T00:00:00.000Z',
      expiresAt: '2027-01-02T00:00:00.000Z',
    })
    assert.match(token, /^pet_invite_[0-9A-Za-z]{32}$/)
    assert.equal(link, `${app.origin}/#invitation=${token}`)
    const { pathname } = new URL(answer.headers.get('location') ?? '')
    assert.deepEqual((await app.send(pathname)).body, invitation)
    assert.deepEqual(await list(app), [invitation])
    assert.deepEqual((await app.storage.keys.findByIds([invitedBy ?? ''])).length, 1)

    const redeemed = await redeem(app, token)

    assert.equal(redeemed.status, 201, redeemed.text)
    const { id, key, ...made } = redeemed.body as CreatedKey
    assert.deepEqual(made, { name: 'Anna', permission: 'read', state: 'active', createdAt: invitation.createdAt })
    assert.equal(redeemed.headers.get('location'), `${app.origin}/v1/keys/${id}`)
    assert.equal(redeemed.headers.get('cache-control'), 'no-store')
    assert.equal((await app.send('/v1/pets', { headers: as(key) })).status, 200)
    assertError(await app.create({ name: 'Rex', categoryId: 1 }, as(key)), 'forbidden')
    assert.deepEqual(await list(app), [])
    assertError(await redeem(app, token), 'unauthorized')
  })

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
    }
    assert.equal(new Set(refusals.map((refusal) => refusal.join())).size, 1)
    assert.equal(refusals[0]?.[1], 'Bearer realm="petstore", error="invalid_token"')
    assert.equal((await app.storage.keys.list()).filter(({ name }) => name === 'Anna').length, 1)
  })
}

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

for (const permission of ['read', 'write'] as const) {
  test(`a ${permission} key may not manage invitations: 403`, async (t) => {
    const app = await startAt(t)
    const { secret } = await app.makeKey({ permission })
    await invite(app)
    const headers = as(secret)

    assertError(await app.send('/v1/invitations', { headers }), 'forbidden')
    assertError(await app.send('/v1/invitations/1', { headers }), 'forbidden')
    assertError(await app.sendJson('POST /v1/invitations', anna, headers), 'forbidden')
    assertError(await app.send('/v1/invitations/1', { method: 'DELETE', headers }), 'forbidden')
    assert.deepEqual((await list(app)).length, 1)
  })
}

const invalid: Record<string, [body: object, fields: string, message: RegExp]> = {
  'no name': [{ permission: 'read' }, 'name', /name/],
  'a blank name': [{ ...anna, name: ' \n' }, 'name', /name/],
  'a long name': [{ ...anna, name: 'x'.repeat(101) }, 'name', /name/],
  'no permission': [{ name: 'Anna' }, 'permission', /permission/],
  'another permission': [{ ...anna, permission: 'owner' }, 'permission', /read, write, admin/],
  'an expiry in the past': [{ ...anna, expiresAt: '2027-01-01T00:00:00Z' }, 'expiresAt', /in the future/],
  'an expiry after 24 hours': [{ ...anna, expiresAt: '2027-01-02T00:00:00.001Z' }, 'expiresAt', /at most 24 hours/],
  'an expiry that is no time': [{ ...anna, expiresAt: 'tomorrow' }, 'expiresAt', /expiresAt/],
}
for (const [name, [body, fields, message]] of Object.entries(invalid)) {
  test(`createInvitation refuses ${name}`, async (t) => {
    const app = await startAt(t)

    const answer = await app.sendJson('POST /v1/invitations', body)

    assertError(answer, 'invalid_body')
    assert.match((answer.body as { message: string }).message, message)
    assert.equal(answer.headers.get('invalid-fields'), fields)
    assert.deepEqual(await list(app), [])
  })
}

test('an invitation ends when it says so', async (t) => {
  const app = await startAt(t)

  const { token, expiresAt } = await invite(app, { ...anna, expiresAt: '2027-01-01T02:00:00+01:00' })

  assert.equal(expiresAt, '2027-01-01T01:00:00.000Z')
  app.clock.now = Date.parse(expiresAt) - 1
  assert.equal((await redeem(app, token)).status, 201)
})

test('an Idempotency-Key is refused where the answer has a secret, and changes nothing', async (t) => {
  const app = await startAt(t)
  const { token } = await invite(app)
  const headers = { 'idempotency-key': 'a' }

  assertError(await app.sendJson('POST /v1/invitations', anna, headers), 'invalid_parameter')
  assertError(await redeem(app, token, headers), 'invalid_parameter')
  assert.deepEqual((await list(app)).length, 1)
  assert.equal((await redeem(app, token)).status, 201)
})

test('invitations are listed in pages', async (t) => {
  const app = await startAt(t)
  for (const name of ['a', 'b', 'c']) await invite(app, { ...anna, name })

  const first = await app.send('/v1/invitations?limit=2')
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const second = await app.send(next.replace(app.origin, ''))

  const names = [first, second].map(({ body }) => (body as Invitation[]).map(({ name }) => name).join(''))
  assert.deepEqual(names, ['ab', 'c'])
  assert.equal(second.headers.get('link'), null)
  assertError(await app.send('/v1/invitations?cursor=x'), 'invalid_parameter')
})

test('an invitation that does not exist is 404', async (t) => {
  const app = await startAt(t)

  for (const id of ['1', '0', '007', 'x', '9223372036854775808', '%00']) {
    assertError(await app.send(`/v1/invitations/${id}`), 'not_found')
    assertError(await app.send(`/v1/invitations/${id}`, { method: 'DELETE' }), 'not_found')
  }
})

test('the link of an invitation has the configured base address', async (t) => {
  const app = await startAt(t, { baseUrls: { production: 'https://shop.example/pets/v1' } })

  const { token, link } = await invite(app)

  assert.equal(link, `https://shop.example/pets/#invitation=${token}`)
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
