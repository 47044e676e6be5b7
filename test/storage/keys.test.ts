import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PetStoreError } from '../../src/inventory/errors.ts'
import { engines } from '../support/engines.ts'
import { site, till } from '../support/stored-keys.ts'

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

  test(`${engine.name}: find resolves to an expired key`, async (t) => {
    const { keys } = await engine.open(t)
    await keys.create({ ...till, expiresAt: 1 })

    const key = await keys.find(till.hash)

    assert.equal(key?.expiresAt, 1)
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
