import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PetStoreError } from '../../src/inventory/errors.ts'
import type { NewApiKey } from '../../src/inventory/keys.ts'
import { engines } from '../support/engines.ts'

const till: NewApiKey = { id: 'key_till', name: 'till', permission: 'write', hash: 'hash of till', createdAt: 1_000 }
const site: NewApiKey = { id: 'key_site', name: 'site', permission: 'read', hash: 'hash of site', createdAt: 2_000 }

for (const engine of engines) {
  test(`${engine.name}: find resolves to the key with this hash, without the hash`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)
    await keys.create({ ...site, expiresAt: 9_000 })

    const key = await keys.find(site.hash)

    assert.deepEqual(key, { id: 'key_site', name: 'site', permission: 'read', createdAt: 2_000, expiresAt: 9_000 })
  })

  test(`${engine.name}: find resolves to undefined for an unknown hash`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)

    assert.equal(await keys.find('hash of nobody'), undefined)
  })

  test(`${engine.name}: recall returns what find would, or nothing`, async (t) => {
    const { keys } = await engine.open(t)
    const check = async () => {
      const recalled = keys.recall(till.hash)
      const found = await keys.find(till.hash)
      assert.deepEqual(recalled ?? found, found)
      assert.deepEqual(keys.recall(till.hash) ?? found, found)
    }

    assert.equal(keys.recall(till.hash), undefined)
    await keys.create(till)
    await check()
    await keys.revoke(till.id, 5_000)
    await check()
  })

  test(`${engine.name}: recall returns a key that was found a moment ago`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)
    // PostgreSQL forgets it after 400 ms.
    t.mock.method(performance, 'now', () => 0)

    const found = await keys.find(till.hash)

    assert.ok(found !== undefined)
    assert.deepEqual(keys.recall(till.hash), found)
  })

  test(`${engine.name}: findByIds returns the existing keys, also revoked and expired ones`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)
    await keys.create({ ...site, expiresAt: 1 })
    await keys.create({ ...site, id: 'key_other', hash: 'hash of other' })
    await keys.revoke(till.id, 5_000)

    const found = await keys.findByIds([site.id, 'key_nobody', till.id])

    assert.deepEqual(
      found
        .map(({ id, revokedAt, expiresAt }) => ({ id, revokedAt, expiresAt }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      [
        { id: site.id, revokedAt: undefined, expiresAt: 1 },
        { id: till.id, revokedAt: 5_000, expiresAt: undefined },
      ],
    )
    assert.deepEqual(await keys.findByIds([]), [])
  })

  test(`${engine.name}: find compares the hash exactly`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)

    assert.equal(await keys.find(till.hash.toUpperCase()), undefined)
  })

  test(`${engine.name}: a new key has no last-used, revoked or expiry time`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)

    const key = await keys.find(till.hash)

    assert.deepEqual(Object.keys(key ?? {}), ['id', 'name', 'permission', 'createdAt'])
  })

  test(`${engine.name}: find resolves to an expired key`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create({ ...till, expiresAt: 1 })

    const key = await keys.find(till.hash)

    assert.equal(key?.expiresAt, 1)
  })

  test(`${engine.name}: find resolves to a revoked key`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)
    await keys.revoke(till.id, 5_000)

    const key = await keys.find(till.hash)

    assert.equal(key?.revokedAt, 5_000)
  })

  test(`${engine.name}: times of a key are exact to the millisecond`, async (t) => {
    const { keys } = await engine.open(t)
    const createdAt = Date.UTC(2026, 10, 14, 12, 34, 56, 789)
    await keys.create({ ...till, createdAt, expiresAt: createdAt + 1 })

    const key = await keys.find(till.hash)

    assert.deepEqual([key?.createdAt, key?.expiresAt], [createdAt, createdAt + 1])
  })

  test(`${engine.name}: a new shop has no keys`, async (t) => {
    const { keys } = await engine.open(t)

    assert.deepEqual(await keys.list(), [])
  })

  test(`${engine.name}: list has the oldest key first`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(site)
    await keys.create(till)

    const names = (await keys.list()).map(({ name }) => name)

    assert.deepEqual(names, ['till', 'site'])
  })

  test(`${engine.name}: list has keys of the same millisecond in insertion order`, async (t) => {
    const { keys } = await engine.open(t)
    for (const name of ['c', 'a', 'b']) await keys.create({ ...till, id: `key_${name}`, name, hash: name })

    const names = (await keys.list()).map(({ name }) => name)

    assert.deepEqual(names, ['c', 'a', 'b'])
  })

  test(`${engine.name}: list has revoked and expired keys too`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create({ ...till, expiresAt: 1 })
    await keys.create(site)
    await keys.revoke(site.id, 5_000)

    assert.equal((await keys.list()).length, 2)
  })

  test(`${engine.name}: two keys may share a name`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)

    await keys.create({ ...site, name: till.name })

    assert.equal((await keys.list()).filter(({ name }) => name === till.name).length, 2)
  })

  test(`${engine.name}: create refuses a hash that another key has`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)

    await assert.rejects(keys.create({ ...site, hash: till.hash }))

    assert.equal((await keys.list()).length, 1)
  })

  test(`${engine.name}: create refuses an id that another key has`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create(till)

    await assert.rejects(keys.create({ ...site, id: till.id }))

    assert.equal((await keys.list()).length, 1)
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

  for (const call of ['find', 'list', 'create', 'rename', 'revoke', 'rotate', 'touch'] as const) {
    test(`${engine.name}: ${call} after close is rejected as unavailable`, async (t) => {
      const { keys, close } = await engine.open(t)
      await close()
      const calls = {
        find: () => keys.find(till.hash),
        list: () => keys.list(),
        create: () => keys.create(till),
        rename: () => keys.rename(till.id, 'counter', 5_000),
        revoke: () => keys.revoke(till.id, 5_000),
        rotate: () => keys.rotate(till.id, site, 5_000),
        touch: () => keys.touch(new Map()),
      }

      await assert.rejects(
        async () => calls[call](),
        (error) => {
          assert.ok(error instanceof PetStoreError, `not a PetStoreError but ${String(error)}`)
          assert.equal(error.code, 'unavailable')
          return true
        },
      )
    })
  }
}
