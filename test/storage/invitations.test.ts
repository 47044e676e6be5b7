import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invitationMs } from '../../src/contract/invitation.ts'
import { endedInvitationMs } from '../../src/inventory/invitations.ts'
import { keyHash } from '../../src/inventory/key-secret.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import type { StoredInvitation } from '../../src/inventory/stored-invitation.ts'
import { engines } from '../support/engines.ts'

const start = Date.UTC(2030, 0, 1)
const token = 'pet_invite_anna'
const anna = { name: 'Anna 🐕', permission: 'write', hash: keyHash(token), expiresAt: start + 1_000 } as const
const newKey = { id: 'key_new', hash: keyHash('secret') }

for (const engine of engines) {
  test(`${engine.name}: an invitation is found by its id and by the hash of its token`, async (t) => {
    const { invitations } = await engine.open(t, () => start)

    const invitation = await add({ invitations })

    assert.deepEqual(invitation, {
      id: 1n,
      name: 'Anna 🐕',
      permission: 'write',
      hash: keyHash(token),
      createdAt: '2030-01-01T00:00:00.000Z',
      expiresAt: '2030-01-01T00:00:01.000Z',
    })
    assert.deepEqual(await invitations.find(1n), invitation)
    assert.deepEqual(await invitations.findByHash(keyHash(token)), invitation)
    assert.equal(await invitations.findByHash(keyHash('other')), undefined)
    assert.equal(await invitations.findByHash(''), undefined)
    assert.equal(await invitations.find(2n), undefined)
  })

  test(`${engine.name}: invitations are listed in pages, and an id is never used twice`, async (t) => {
    const { invitations } = await engine.open(t, () => start)
    for (const name of ['a', 'b', 'c']) await add({ invitations }, { name })
    assert.deepEqual(await invitations.remove(3n), { outcome: 'removed' })
    assert.deepEqual(await invitations.remove(3n), { outcome: 'missing' })

    const { id } = await add({ invitations }, { name: 'd' })

    assert.equal(id, 4n)
    const pages = [await invitations.list(2, 0n), await invitations.list(2, 2n)]
    assert.deepEqual(
      pages.map(({ items, more }) => [items.map(({ name }) => name).join(''), more]),
      [
        ['ab', true],
        ['d', false],
      ],
    )
  })

  test(`${engine.name}: an invitation lasts for 24 hours at most`, async (t) => {
    const { invitations } = await engine.open(t, () => start)
    const ending = async (expiresAt: number) => (await invitations.create({ ...anna, expiresAt })).outcome

    assert.equal(await ending(start), 'expired')
    assert.equal(await ending(start + invitationMs + 1), 'too_long')
    assert.deepEqual((await invitations.list(10, 0n)).items, [])
    assert.equal(await ending(start + invitationMs), 'created')
  })

  test(`${engine.name}: of several redeems of an invitation at once one makes a key`, async (t) => {
    const storage = await engine.open(t, () => start)
    const invitation = await add(storage)

    const redemptions = await Promise.all(
      Array.from({ length: 8 }, (_none, index) =>
        storage.invitations.redeem(invitation, { id: `key_${index}`, hash: keyHash(`${index}`) }),
      ),
    )

    const outcomes = redemptions.map(({ outcome }) => outcome).toSorted()
    assert.deepEqual(outcomes, ['redeemed', ...Array.from({ length: 7 }, () => 'refused')].toSorted())
    const keys = await storage.keys.list()
    assert.deepEqual(
      keys.map(({ name, permission, createdAt }) => [name, permission, createdAt]),
      [['Anna 🐕', 'write', start]],
    )
    assert.equal(await storage.invitations.find(1n), undefined)
    assert.equal(await storage.invitations.findByHash(invitation.hash), undefined)
  })

  test(`${engine.name}: an expired, removed or other invitation makes no key`, async (t) => {
    let now = start
    const storage = await engine.open(t, () => now)
    const [expired, removed, kept] = [
      await add(storage),
      await add(storage, { hash: keyHash('removed') }),
      await add(storage, { hash: keyHash('kept'), expiresAt: start + 2_000 }),
    ]
    await storage.invitations.remove(removed.id)
    now += 1_000

    for (const refused of [expired, removed, { ...kept, hash: expired.hash }, { ...kept, invitedBy: 'key_x' }]) {
      assert.deepEqual(await storage.invitations.redeem(refused, newKey), { outcome: 'refused' })
    }
    assert.deepEqual(await storage.keys.list(), [])
    assert.equal((await storage.invitations.redeem(kept, newKey)).outcome, 'redeemed')
    assert.equal((await storage.keys.find(newKey.hash))?.id, 'key_new')
  })

  test(`${engine.name}: an invitation ends with the key that made it`, async (t) => {
    let now = start
    const storage = await engine.open(t, () => now)
    for (const id of ['key_revoked', 'key_expiring', 'key_admin']) {
      const end = id === 'key_expiring' && { expiresAt: start + 500 }
      await storage.keys.create({ id, name: id, permission: 'admin', hash: id, createdAt: start, ...end })
    }
    const made: StoredInvitation[] = []
    for (const by of ['key_revoked', 'key_expiring', 'key_admin', 'key_of_the_settings'])
      made.push(await add(storage, { hash: keyHash(by) }, by))
    await storage.keys.revoke('key_revoked', start)
    now += 500

    const outcomes: string[] = []
    for (const invitation of made) {
      const { id } = invitation
      outcomes.push((await storage.invitations.redeem(invitation, { id: `key_${id}`, hash: `hash ${id}` })).outcome)
    }

    assert.deepEqual(outcomes, ['refused', 'refused', 'redeemed', 'redeemed'])
    const refused = { outcome: 'unauthorized' }
    assert.deepEqual(await storage.invitations.create({ ...anna, expiresAt: now + 1 }, 'key_revoked'), refused)
    assert.deepEqual(await storage.invitations.remove(1n, 'key_revoked'), refused)
    assert.deepEqual(await storage.invitations.remove(1n, 'key_admin'), { outcome: 'removed' })
  })

  test(`${engine.name}: endAll ends open invitations, and leaves the others as they are`, async (t) => {
    let now = start
    const storage = await engine.open(t, () => now)
    const expired = await add(storage)
    const open = await add(storage, { hash: keyHash('open'), expiresAt: start + 2_000 })
    now += 1_000

    assert.equal(await storage.invitations.endAll(), 1)
    assert.equal(await storage.invitations.endAll(), 0)

    assert.deepEqual(await storage.invitations.redeem(open, newKey), { outcome: 'refused' })
    assert.deepEqual((await storage.invitations.list(10, 0n)).items, [expired, { ...open, expiresAt: open.createdAt }])
  })

  test(`${engine.name}: an expired invitation is forgotten a week later`, async (t) => {
    let now = start
    const { invitations } = await engine.open(t, () => now)
    await add({ invitations })
    await add({ invitations }, { hash: keyHash('later'), expiresAt: anna.expiresAt + 1 })
    now = anna.expiresAt + endedInvitationMs - 1
    assert.equal(await invitations.forget(), 0)
    now++

    assert.equal(await invitations.forget(), 1)

    assert.deepEqual(
      (await invitations.list(10, 0n)).items.map(({ id }) => id),
      [2n],
    )
  })
}

async function add(
  { invitations }: Pick<Storage, 'invitations'>,
  members: Partial<Parameters<Storage['invitations']['create']>[0]> = {},
  by?: string,
): Promise<StoredInvitation> {
  const creation = await invitations.create({ ...anna, ...members }, by)
  assert.ok(creation.outcome === 'created')
  return creation.invitation
}
