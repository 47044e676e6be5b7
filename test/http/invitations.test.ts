import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CreatedInvitation, Invitation } from '../../src/contract/invitation.ts'
import type { CreatedKey } from '../../src/contract/key.ts'
import { postgres, sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { anna, as, invite, list, redeem, startAt } from '../support/invitation-requests.ts'

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
}

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
