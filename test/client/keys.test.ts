import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallError, isPetStoreError, PetStore } from '../../client/src/index.ts'
import { startClient } from '../support/client.ts'

test('an admin makes, lists, renames, replaces and revokes keys', async (t) => {
  const { petstore } = await startClient(t)

  const made = await petstore.keys.create({ name: 'till', permission: 'read' })
  const renamed = await petstore.keys.update(made.id, { name: 'counter' })
  const rotated = await petstore.keys.rotate(made.id)
  const revoked = await petstore.keys.revoke(made.id)

  assert.deepEqual(
    (await petstore.keys.list()).map(({ name, permission, state }) => [name, permission, state]),
    [
      ['test', 'admin', 'active'],
      ['counter', 'read', 'revoked'],
      ['counter', 'read', 'active'],
    ],
  )
  assert.deepEqual([renamed.id, renamed.name], [made.id, 'counter'])
  assert.deepEqual([rotated.replaces, rotated.key === made.key], [made.id, false])
  assert.deepEqual(await petstore.keys.get(made.id), revoked)
  await assert.rejects(petstore.keys.get('../pets'), (error) => isPetStoreError(error, 'not_found'))
})

test('an admin invites, lists and takes back, and a colleague redeems, once', async (t) => {
  const { petstore, proxy } = await startClient(t)

  const anna = await petstore.invitations.create({ name: 'Anna', permission: 'read' })
  const expiresAt = new Date(Date.now() + 3_600_000)
  const bob = await petstore.invitations.create({ name: 'Bob', permission: 'write', expiresAt })
  const listed = await Array.fromAsync(petstore.invitations.list())
  await petstore.invitations.delete(bob.id)
  const invited = new PetStore({ baseUrl: `${proxy.origin}/v1`, apiKey: anna.token })
  const made = await invited.invitations.redeem()

  assert.deepEqual(
    listed.map(({ name, permission, state }) => [name, permission, state]),
    [
      ['Anna', 'read', 'open'],
      ['Bob', 'write', 'open'],
    ],
  )
  assert.equal(bob.expiresAt, expiresAt.toISOString())
  assert.deepEqual([made.name, made.permission, made.key === anna.token], ['Anna', 'read', false])
  assert.deepEqual(await new PetStore({ baseUrl: `${proxy.origin}/v1`, apiKey: made.key }).pets.list().toArray(), [])
  await assert.rejects(invited.invitations.redeem(), (error) => isPetStoreError(error, 'unauthorized'))
  await assert.rejects(petstore.invitations.get(anna.id), (error) => isPetStoreError(error, 'not_found'))
})

test('an invitation is neither made nor redeemed twice by one call', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const { token } = await petstore.invitations.create({ name: 'Anna', permission: 'read' })
  const invited = new PetStore({ baseUrl: `${proxy.origin}/v1`, apiKey: token })

  for (const call of [
    () => petstore.invitations.create({ name: 'Bob', permission: 'read' }),
    () => invited.invitations.redeem(),
  ]) {
    proxy.next('swallow')
    await assert.rejects(call(), (error) => error instanceof CallError && error.mayHaveSucceeded)
  }
})

test('a new key or name is not asked for twice, a revocation is', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const { id } = await petstore.keys.create({ name: 'till' })

  for (const call of [
    () => petstore.keys.create({ name: 'web' }),
    () => petstore.keys.rotate(id),
    () => petstore.keys.update(id, { name: 'web' }),
  ]) {
    proxy.next('swallow')
    await assert.rejects(call(), (error) => error instanceof CallError && error.mayHaveSucceeded)
  }
  proxy.next('swallow')
  const revoked = await petstore.keys.revoke(id)

  assert.equal(revoked.state, 'revoked')
  assert.equal((await petstore.keys.list()).length, 4)
})
