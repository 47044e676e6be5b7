import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../support/engines.ts'
import { site, till } from '../support/stored-keys.ts'

for (const engine of engines) {
  test(`${engine.name}: a new key has no last-used, revoked or expiry time`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)

    const key = await keys.find(till.hash)

    assert.deepEqual(Object.keys(key ?? {}), ['id', 'name', 'permission', 'createdAt'])
  })

  test(`${engine.name}: find resolves to a revoked key`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)
    await keys.revoke(till.id, 5_000)

    const key = await keys.find(till.hash)

    assert.equal(key?.revokedAt, 5_000)
  })

  test(`${engine.name}: find sees a revocation as soon as revoke resolves`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)

    const revoked = await keys.revoke(till.id, 5_000)

    assert.equal(revoked.outcome, 'revoked')
    assert.equal((await keys.find(till.hash))?.revokedAt, 5_000)
  })

  test(`${engine.name}: revoke changes no other key`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)
    await keys.create(site)

    await keys.revoke(till.id, 5_000)

    assert.equal((await keys.find(site.hash))?.revokedAt, undefined)
  })

  test(`${engine.name}: revoke of an unknown id finds no key`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)

    assert.deepEqual(await keys.revoke('key_nobody', 5_000), { outcome: 'missing' })
  })

  test(`${engine.name}: revoke of a revoked key keeps the first time`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)
    await keys.revoke(till.id, 5_000)

    await keys.revoke(till.id, 6_000)

    assert.equal((await keys.find(till.hash))?.revokedAt, 5_000)
  })

  test(`${engine.name}: rename changes the name of one key and nothing else`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create({ ...till, expiresAt: 9_000 })
    await keys.create(site)
    await keys.touch(new Map([[till.id, 4_000]]))
    const before = await keys.find(till.hash)

    const renamed = await keys.rename(till.id, 'counter', 5_000)

    assert.deepEqual(renamed, { outcome: 'renamed', key: { ...before, name: 'counter' } })
    assert.deepEqual(await keys.find(till.hash), { ...before, name: 'counter' })
    assert.equal((await keys.find(site.hash))?.name, 'site')
    assert.deepEqual(await keys.rename('key_nobody', 'counter', 5_000), { outcome: 'missing' })
  })

  test(`${engine.name}: a key that is renamed and revoked at once has the new name and is revoked`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)

    await Promise.all([keys.rename(till.id, 'counter', 5_000), keys.revoke(till.id, 5_000)])

    const { name, revokedAt } = (await keys.find(till.hash)) ?? {}
    assert.deepEqual([name, revokedAt], ['counter', 5_000])
  })

  test(`${engine.name}: rotate adds the replacement and ends the old key at the stated time`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)

    const rotated = await keys.rotate(till.id, site, 5_000)

    assert.equal(rotated.outcome, 'rotated')
    assert.equal((await keys.find(till.hash))?.expiresAt, 5_000)
    assert.deepEqual(await keys.find(site.hash), { id: site.id, name: 'site', permission: 'read', createdAt: 2_000 })
  })

  test(`${engine.name}: rotate shortens an expiry that is later`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create({ ...till, expiresAt: 9_000 })

    await keys.rotate(till.id, site, 5_000)

    assert.equal((await keys.find(till.hash))?.expiresAt, 5_000)
  })

  test(`${engine.name}: rotate never lengthens an expiry that is earlier`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create({ ...till, expiresAt: 3_000 })

    await keys.rotate(till.id, site, 5_000)

    assert.equal((await keys.find(till.hash))?.expiresAt, 3_000)
  })

  test(`${engine.name}: rotate of an unknown id finds no key and adds no key`, async (t) => {
    const { keys } = await engine.open(t)

    assert.deepEqual(await keys.rotate('key_nobody', site, 5_000), { outcome: 'missing' })
    assert.deepEqual(await keys.list(), [])
  })

  test(`${engine.name}: a failed rotate leaves the old key unchanged`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)

    await assert.rejects(keys.rotate(till.id, { ...site, hash: till.hash }, 5_000))

    assert.deepEqual(await keys.list(), [{ id: till.id, name: 'till', permission: 'write', createdAt: 1_000 }])
  })

  test(`${engine.name}: touch stores when keys were last used`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)
    await keys.create(site)

    await keys.touch(
      new Map([
        [till.id, 5_000],
        [site.id, 6_000],
      ]),
    )

    assert.deepEqual(
      (await keys.list()).map(({ lastUsedAt }) => lastUsedAt),
      [5_000, 6_000],
    )
  })

  test(`${engine.name}: touch keeps the later time when it comes first`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)
    await keys.touch(new Map([[till.id, 6_000]]))

    await keys.touch(new Map([[till.id, 5_000]]))

    assert.equal((await keys.find(till.hash))?.lastUsedAt, 6_000)
  })

  test(`${engine.name}: touch keeps the later time when it comes last`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)
    await keys.touch(new Map([[till.id, 5_000]]))

    await keys.touch(new Map([[till.id, 6_000]]))

    assert.equal((await keys.find(till.hash))?.lastUsedAt, 6_000)
  })

  test(`${engine.name}: touch ignores an unknown key`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)

    await keys.touch(
      new Map([
        ['key_nobody', 5_000],
        [till.id, 5_000],
      ]),
    )

    assert.deepEqual(
      (await keys.list()).map(({ id, lastUsedAt }) => [id, lastUsedAt]),
      [[till.id, 5_000]],
    )
  })

  test(`${engine.name}: a key may be an admin key`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create({ ...till, permission: 'admin' })

    assert.equal((await keys.find(till.hash))?.permission, 'admin')
  })

  test(`${engine.name}: of two concurrent revocations of the last two admin keys one is refused`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create({ ...till, permission: 'admin' })
    await keys.create({ ...site, permission: 'admin' })

    const outcomes = await Promise.all([keys.revoke(till.id, 5_000, site.id), keys.revoke(site.id, 5_000, till.id)])

    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['revoked', 'unauthorized'],
    )
    assert.equal((await keys.find(site.hash))?.revokedAt, undefined)
  })

  test(`${engine.name}: an admin cannot revoke the last admin key, the command line can`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create({ ...till, permission: 'admin' })
    await keys.create(site)

    assert.deepEqual(await keys.revoke(till.id, 5_000, till.id), { outcome: 'last' })
    assert.deepEqual(await keys.revoke(till.id, 5_000, 'own_key'), { outcome: 'last' })
    assert.equal((await keys.revoke(till.id, 5_000)).outcome, 'revoked')
  })

  test(`${engine.name}: of two concurrent rotations of the last two admin keys to an early end one is refused`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create({ ...till, permission: 'admin' })
    await keys.create({ ...site, permission: 'admin' })
    const early = { name: 'early', permission: 'admin', createdAt: 3_000, expiresAt: 4_000 } as const

    const outcomes = await Promise.all([
      keys.rotate(till.id, { ...early, id: 'key_a', hash: 'a' }, 4_000, till.id),
      keys.rotate(site.id, { ...early, id: 'key_b', hash: 'b' }, 4_000, site.id),
    ])

    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['rotated', 'last'],
    )
    assert.equal((await keys.find(site.hash))?.expiresAt, undefined)
    assert.equal((await keys.list()).length, 3)
  })
}
