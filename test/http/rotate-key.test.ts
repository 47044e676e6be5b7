import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { postgres, sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { as, bodyOf, keysOf, later, now } from '../support/key-requests.ts'

for (const engine of [sqliteInMemory, postgres]) {
  test(`${engine.name}: rotateKey makes a key like the old one, which works until the stated time`, async (t) => {
    const clock = { now }
    const app = await startApp(t, { engine, clock: () => clock.now })
    const old = await app.makeKey({ name: 'till', permission: 'read', expiresAt: Date.parse(later) })

    const answer = await app.sendJson(`POST /v1/keys/${old.id}/rotate`, {
      replacedKeyExpiresAt: '2027-01-02T00:00:00Z',
    })

    const rotated = bodyOf(answer)
    assert.deepEqual([rotated.name, rotated.permission, rotated.expiresAt], ['till', 'read', later])
    assert.deepEqual([rotated.replaces, rotated.replacedKeyExpiresAt], [old.id, '2027-01-02T00:00:00.000Z'])
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const statuses = async () =>
      Promise.all(
        [old.secret, rotated.key].map(async (key) => (await app.send('/v1/pets', { headers: as(key) })).status),
      )
    assert.deepEqual(await statuses(), [200, 200])
    clock.now += 86_400_000
    assert.deepEqual(await statuses(), [401, 200])
  })

  test(`${engine.name}: of many concurrent rotations of a key one makes a successor, and the others are 409`, async (t) => {
    const app = await startApp(t, { engine, clock: () => now })
    const old = await app.makeKey({ name: 'till', permission: 'admin' })
    const rotate = () => app.sendJson(`POST /v1/keys/${old.id}/rotate`, {})

    const answers = await Promise.all(Array.from({ length: 30 }, rotate))

    const [rotated, ...more] = answers.filter(({ status }) => status === 201).map((answer) => bodyOf(answer))
    assert.ok(rotated !== undefined && more.length === 0)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const answer of refused) assertError(answer, 'conflict')
    assert.match(refused[0]?.text ?? '', new RegExp(`revoke ${rotated.id} and rotate again`))
    const keys = await keysOf(app)
    assert.equal(keys.filter(({ name }) => name === 'till').length, 2)
    assert.equal(keys.find(({ id }) => id === old.id)?.replacedBy, rotated.id)
    assert.equal(bodyOf(await app.send(`/v1/keys/${old.id}`), 200).replacedBy, rotated.id)
  })

  test(`${engine.name}: a key whose successor was revoked or has expired is rotated again`, async (t) => {
    const clock = { now }
    const app = await startApp(t, { engine, clock: () => clock.now })
    const old = await app.makeKey({ name: 'till', permission: 'write', expiresAt: Date.parse(later) })
    const rotate = async (body = {}) => bodyOf(await app.sendJson(`POST /v1/keys/${old.id}/rotate`, body))

    const lost = await rotate()
    await app.sendJson(`POST /v1/keys/${lost.id}/revoke`, undefined)
    const short = await rotate({ expiresAt: new Date(now + 1_000).toISOString() })
    clock.now += 1_000
    const last = await rotate({ expiresAt: later })

    // As the old key would have expired, not as it does since its first rotation.
    assert.equal(lost.expiresAt, later)
    assert.equal((await keysOf(app)).find(({ id }) => id === old.id)?.replacedBy, last.id)
    assert.notEqual(short.id, last.id)
  })

  test(`${engine.name}: the second rotation of a key that was lost makes one that expires like the first`, async (t) => {
    const app = await startApp(t, { engine, clock: () => now })
    const old = await app.makeKey({ name: 'till', permission: 'write' })
    const rotate = async () => bodyOf(await app.sendJson(`POST /v1/keys/${old.id}/rotate`, {}))
    const lost = await rotate()
    await app.sendJson(`POST /v1/keys/${lost.id}/revoke`, undefined)

    const again = await rotate()

    assert.equal(again.expiresAt, undefined)
    assert.equal(again.replacedKeyExpiresAt, lost.replacedKeyExpiresAt)
  })
}

test('a key that ended is not rotated: 409', async (t) => {
  const app = await startApp(t, { clock: () => now })
  const expired = await app.makeKey({ expiresAt: now })
  const revoked = await app.makeKey()
  await app.storage.keys.revoke(revoked.id, now)

  for (const { id } of [expired, revoked]) {
    assertError(await app.sendJson(`POST /v1/keys/${id}/rotate`, {}), 'conflict')
  }
})

test('the end of a replaced key is not in the past', async (t) => {
  const app = await startApp(t, { clock: () => now })
  const { id } = await app.makeKey()

  const answer = await app.sendJson(`POST /v1/keys/${id}/rotate`, { replacedKeyExpiresAt: '2026-12-31T00:00:00Z' })

  assertError(answer, 'invalid_body')
  assert.equal((await keysOf(app)).length, 2)
})

test('without a stated time a replaced key works for 24 hours more', async (t) => {
  const app = await startApp(t, { clock: () => now })
  const { id } = await app.makeKey()

  const rotated = bodyOf(await app.sendJson(`POST /v1/keys/${id}/rotate`, {}))

  assert.equal(rotated.replacedKeyExpiresAt, '2027-01-02T00:00:00.000Z')
})
