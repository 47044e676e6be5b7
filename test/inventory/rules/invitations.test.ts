import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invitationMs } from '../../../src/contract/invitation.ts'
import type { ApiKey } from '../../../src/inventory/keys.ts'
import { createInvitation } from '../../../src/inventory/rules/create-invitation.ts'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'
import { redeemInvitation } from '../../../src/inventory/rules/redeem-invitation.ts'
import { removeInvitation } from '../../../src/inventory/rules/remove-invitation.ts'

const at = Date.UTC(2030, 0, 1)
const toMake = { name: 'Bob', permission: 'write', hash: 'hash of the token' } as const
const stored = {
  ...toMake,
  id: 1n,
  invitedBy: 'ann',
  createdAt: '2030-01-01T00:00:00.000Z',
  expiresAt: '2030-01-02T00:00:00.000Z',
}
const { invitedBy: _by, ...ofCommandLine } = stored
const ann: ApiKey = { id: 'ann', name: 'ann', permission: 'admin', createdAt: 0 }
const revokedAnn = { ...ann, revokedAt: at }

test('an invitation lasts for a day, and names the key that made it', () => {
  assert.deepEqual(createInvitation(loadedFacts({ keys: [ann] }), { invitation: toMake, at, by: 'ann' }), {
    outcome: { outcome: 'created', invitation: stored },
    changes: [{ type: 'resource.put', table: 'invitations', item: stored }],
  })
})

test('an invitation of the command line names no key', () => {
  const { outcome } = createInvitation(loadedFacts({}), { invitation: toMake, at })

  assert.deepEqual(outcome, { outcome: 'created', invitation: ofCommandLine })
})

for (const [lasts, expected] of [
  [0, 'expired'],
  [1, 'created'],
  [invitationMs, 'created'],
  [invitationMs + 1, 'too_long'],
] as const) {
  test(`an invitation that is to last ${lasts} ms is ${expected}`, () => {
    const invitation = { ...toMake, expiresAt: at + lasts }
    const { outcome, changes } = createInvitation(loadedFacts({}), { invitation, at })

    assert.equal(outcome.outcome, expected)
    assert.equal(changes.length, expected === 'created' ? 1 : 0)
  })
}

test('an admin key that was revoked before the transaction makes and removes no invitation', () => {
  const facts = loadedFacts({ keys: [revokedAnn], invitations: [stored] })

  for (const decision of [
    createInvitation(facts, { invitation: toMake, at, by: 'ann' }),
    removeInvitation(facts, { id: 1n, at, by: 'ann' }),
  ]) {
    assert.deepEqual(decision, { outcome: { outcome: 'unauthorized' }, changes: [] })
  }
})

test('an invitation is removed by any admin, once', () => {
  const facts = loadedFacts({ invitations: [stored] })
  const removed = removeInvitation(facts, { id: 1n, at, by: 'own_key' })
  for (const change of removed.changes) facts.apply(change)

  assert.deepEqual(removed, {
    outcome: { outcome: 'removed' },
    changes: [{ type: 'resource.removed', table: 'invitations', id: 1n }],
  })
  assert.deepEqual(removeInvitation(facts, { id: 1n, at }), { outcome: { outcome: 'missing' }, changes: [] })
})

test('the token of an invitation makes one key, with the name and permission of the invitation', () => {
  const facts = loadedFacts({ keys: [ann], invitations: [stored] })
  const command = { id: 1n, hash: toMake.hash, key: { id: 'bob', hash: 'hash of the key' }, at, by: 'ann' }
  const key = { id: 'bob', hash: 'hash of the key', name: 'Bob', permission: 'write', createdAt: at } as const
  const first = redeemInvitation(facts, command)
  for (const change of first.changes) facts.apply(change)

  assert.deepEqual(first, {
    outcome: { outcome: 'redeemed', key },
    changes: [
      { type: 'resource.removed', table: 'invitations', id: 1n },
      { type: 'key.created', key },
    ],
  })
  assert.deepEqual(redeemInvitation(facts, command), { outcome: { outcome: 'refused' }, changes: [] })
})

for (const [why, change] of [
  ['the token is another', { hash: 'other' }],
  ['another key is said to have made it', { by: 'eve' }],
  ['no key is said to have made it', { by: undefined }],
  ['it has expired', { at: at + invitationMs }],
  ['the key that made it was revoked', { isRevoked: true }],
] as const) {
  test(`an invitation is refused if ${why}`, () => {
    const { isRevoked, ...other } = { isRevoked: false, ...change }
    const facts = loadedFacts({ keys: [isRevoked ? revokedAnn : ann], invitations: [stored] })
    const command = { id: 1n, hash: toMake.hash, key: { id: 'bob', hash: 'hash of the key' }, at, by: 'ann', ...other }

    const decision = redeemInvitation(facts, command)

    assert.deepEqual(decision, { outcome: { outcome: 'refused' }, changes: [] })
  })
}

test('an invitation works to the last millisecond', () => {
  const key = { id: 'bob', hash: 'hash of the key' }
  const command = { id: 1n, hash: toMake.hash, key, at: at + invitationMs - 1 }

  const { outcome } = redeemInvitation(loadedFacts({ invitations: [ofCommandLine] }), command)

  assert.equal(outcome.outcome, 'redeemed')
})
