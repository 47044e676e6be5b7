import assert from 'node:assert/strict'
import { test } from 'node:test'
import { includesPermission, type Permission, permissions } from '../../../src/contract/operation.ts'
import type { ApiKey, NewApiKey } from '../../../src/inventory/keys.ts'
import { createKey } from '../../../src/inventory/rules/create-key.ts'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'
import { renameKey } from '../../../src/inventory/rules/rename-key.ts'
import { revokeKey } from '../../../src/inventory/rules/revoke-key.ts'
import { rotateKey } from '../../../src/inventory/rules/rotate-key.ts'

const now = 10_000
const day = 86_400_000

function key(id: string, permission: Permission, times: Partial<ApiKey> = {}): ApiKey {
  return { id, name: id, permission, createdAt: 0, ...times }
}

function newKey(permission: Permission, expiresAt?: number): NewApiKey {
  const facts = { id: 'new', name: 'new', permission, hash: 'hash', createdAt: now }
  return expiresAt === undefined ? facts : { ...facts, expiresAt }
}

function shopWith(...keys: ApiKey[]) {
  const facts = loadedFacts({ keys })
  const find = (id: string) => {
    assert.equal(typeof id, 'string', 'a key is asked for that nobody named')
    return facts.key(id)
  }
  return { ...facts, key: find }
}

test('each permission includes itself and those before it', () => {
  assert.deepEqual(
    permissions.map((held) => permissions.filter((needed) => includesPermission(held, needed))),
    [['read'], ['read', 'write'], ['read', 'write', 'admin']],
  )
})

test('an admin makes a key of any permission', () => {
  for (const permission of permissions) {
    const { outcome, changes } = createKey(shopWith(key('ann', 'admin')), { ...newKey(permission), by: 'ann' })

    assert.deepEqual(outcome, { outcome: 'created' })
    assert.deepEqual(changes, [{ type: 'key.created', key: newKey(permission) }])
  }
})

test('an admin makes no key that has expired', () => {
  const shop = shopWith(key('ann', 'admin'))

  assert.deepEqual(createKey(shop, { ...newKey('admin', now), by: 'ann' }).outcome, { outcome: 'expired' })
  assert.deepEqual(createKey(shop, { ...newKey('admin', now + 1), by: 'ann' }).outcome, { outcome: 'created' })
})

test('the command line may make a key that has expired', () => {
  assert.deepEqual(createKey(shopWith(), newKey('admin', now)).outcome, { outcome: 'created' })
})

for (const [ended, times] of [
  ['revoked', { revokedAt: now }],
  ['expired', { expiresAt: now }],
] as const) {
  test(`an admin key that was ${ended} before the transaction changes no key`, () => {
    const shop = shopWith(key('ann', 'admin', times), key('bob', 'admin'), key('till', 'write'))
    const decisions = [
      createKey(shop, { ...newKey('read'), by: 'ann' }),
      renameKey(shop, { id: 'till', name: 'counter', at: now, by: 'ann' }),
      revokeKey(shop, { id: 'till', at: now, by: 'ann' }),
      rotateKey(shop, { id: 'till', replacement: newKey('write'), until: now + 1, by: 'ann' }),
    ]

    for (const { outcome, changes } of decisions) {
      assert.deepEqual(outcome, { outcome: 'unauthorized' })
      assert.deepEqual(changes, [])
    }
  })
}

test('an admin renames any key, also one that ended, and nothing else of it changes', () => {
  const ended = key('old', 'admin', { revokedAt: 1, expiresAt: 2, lastUsedAt: 3 })
  const shop = shopWith(key('ann', 'admin'), ended)

  const { outcome, changes } = renameKey(shop, { id: 'old', name: 'new', at: now, by: 'ann' })

  assert.deepEqual(outcome, { outcome: 'renamed', key: { ...ended, name: 'new' } })
  assert.deepEqual(changes, [{ type: 'key.changed', key: { ...ended, name: 'new' } }])
  assert.deepEqual(renameKey(shop, { id: 'nobody', name: 'new', at: now, by: 'ann' }).outcome, { outcome: 'missing' })
})

test('a key that has the name already is not written again', () => {
  const { outcome, changes } = renameKey(shopWith(key('till', 'write')), { id: 'till', name: 'till', at: now })

  assert.deepEqual(outcome, { outcome: 'renamed', key: key('till', 'write') })
  assert.deepEqual(changes, [])
})

test('an admin revokes any key but the last admin key', () => {
  const shop = shopWith(key('ann', 'admin'), key('till', 'write'), key('old', 'admin', { revokedAt: 1 }))

  const revoked = key('till', 'write', { revokedAt: now })
  assert.deepEqual(revokeKey(shop, { id: 'till', at: now, by: 'ann' }), {
    outcome: { outcome: 'revoked', key: revoked },
    changes: [{ type: 'key.changed', key: revoked }],
  })
  assert.deepEqual(revokeKey(shop, { id: 'ann', at: now, by: 'ann' }).outcome, { outcome: 'last' })
  assert.deepEqual(revokeKey(shop, { id: 'ann', at: now, by: 'own_key' }).outcome, { outcome: 'last' })
  assert.deepEqual(revokeKey(shop, { id: 'nobody', at: now, by: 'ann' }).outcome, { outcome: 'missing' })
})

test('an expired admin key does not count, and can be revoked', () => {
  const shop = shopWith(key('ann', 'admin'), key('bob', 'admin', { expiresAt: now }))

  assert.deepEqual(revokeKey(shop, { id: 'ann', at: now, by: 'ann' }).outcome, { outcome: 'last' })
  assert.equal(revokeKey(shop, { id: 'bob', at: now, by: 'ann' }).outcome.outcome, 'revoked')
})

test('a key that gives no admin access can be revoked, however soon the admin keys expire', () => {
  const shop = shopWith(
    key('ann', 'admin', { expiresAt: now + 1 }),
    key('till', 'write'),
    key('old', 'admin', { expiresAt: now }),
  )
  const alone = shopWith(key('old', 'admin', { expiresAt: now }))

  assert.equal(revokeKey(shop, { id: 'till', at: now, by: 'ann' }).outcome.outcome, 'revoked')
  assert.equal(revokeKey(alone, { id: 'old', at: now, by: 'own_key' }).outcome.outcome, 'revoked')
})

test('an admin key that never expires is not revoked for one that expires', () => {
  const shop = shopWith(key('ann', 'admin'), key('bob', 'admin', { expiresAt: now + day }))

  assert.deepEqual(revokeKey(shop, { id: 'ann', at: now, by: 'bob' }).outcome, { outcome: 'last' })
  assert.equal(revokeKey(shop, { id: 'bob', at: now, by: 'ann' }).outcome.outcome, 'revoked')
})

test('of two admin keys with the same end either can be revoked', () => {
  for (const times of [{}, { expiresAt: now + day }]) {
    const shop = shopWith(key('ann', 'admin', times), key('bob', 'admin', times))

    assert.equal(revokeKey(shop, { id: 'ann', at: now, by: 'ann' }).outcome.outcome, 'revoked')
  }
})

test('a revoked key stays revoked since the first time', () => {
  const { outcome, changes } = revokeKey(shopWith(key('till', 'write', { revokedAt: 1 })), { id: 'till', at: now })

  assert.deepEqual(outcome, { outcome: 'revoked', key: key('till', 'write', { revokedAt: 1 }) })
  assert.deepEqual(changes, [])
})

test('rotation ends the old key at the stated time, never later than before', () => {
  const shop = shopWith(key('till', 'write'), key('web', 'write', { expiresAt: now + 1 }))
  const ends = ['till', 'web'].map((id) => {
    const { outcome } = rotateKey(shop, { id, replacement: newKey('write'), until: now + day })
    return outcome.outcome === 'rotated' ? outcome.replaced.expiresAt : outcome
  })

  assert.deepEqual(ends, [now + day, now + 1])
})

test('rotation stores the old key with its end and successor, and then the new one', () => {
  const { changes } = rotateKey(shopWith(key('till', 'write')), {
    id: 'till',
    replacement: newKey('write'),
    until: now + day,
  })

  assert.deepEqual(changes, [
    { type: 'key.changed', key: key('till', 'write', { expiresAt: now + day, replacedBy: 'new' }) },
    { type: 'key.created', key: newKey('write') },
  ])
})

test('a key is not rotated again while its successor works', () => {
  const old = key('till', 'write', { replacedBy: 'next' })
  const outcomes = [{}, { revokedAt: now }].map((times) => {
    const shop = shopWith(old, key('next', 'write', times))
    return rotateKey(shop, { id: 'till', replacement: newKey('write'), until: now + day }).outcome
  })

  assert.deepEqual(outcomes[0], { outcome: 'replaced', successorId: 'next' })
  assert.equal(outcomes[1]?.outcome, 'rotated')
})

test('a key that ended is not rotated', () => {
  const shop = shopWith(key('old', 'write', { expiresAt: now }), key('lost', 'write', { revokedAt: now }))
  const states = ['old', 'lost', 'nobody'].map(
    (id) => rotateKey(shop, { id, replacement: newKey('write'), until: now + day }).outcome,
  )

  assert.deepEqual(states, [
    { outcome: 'ended', state: 'expired' },
    { outcome: 'ended', state: 'revoked' },
    { outcome: 'missing' },
  ])
})

test('rotation of the last admin key needs a replacement that works as long', () => {
  const shop = shopWith(key('ann', 'admin'))
  const rotate = (replacement: NewApiKey) =>
    rotateKey(shop, { id: 'ann', replacement, until: now + 1, by: 'ann' }).outcome.outcome

  assert.equal(rotate(newKey('admin')), 'rotated')
  assert.equal(rotate(newKey('admin', now + day)), 'last')
  assert.equal(rotate(newKey('admin', now)), 'expired')
  assert.equal(rotate(newKey('write')), 'last')
})

test('the command line revokes and rotates the last admin key as it likes', () => {
  const shop = shopWith(key('ann', 'admin'))

  assert.equal(revokeKey(shop, { id: 'ann', at: now }).outcome.outcome, 'revoked')
  assert.equal(
    rotateKey(shop, { id: 'ann', replacement: newKey('admin', now + 1), until: now }).outcome.outcome,
    'rotated',
  )
})
