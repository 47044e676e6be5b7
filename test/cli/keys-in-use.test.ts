import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folderWithDatabase, run, type Service, startService } from '../support/service.ts'
import { create, passing, seed, statusOf } from '../support/cli-keys.ts'

test('a key made while the service runs is accepted by the very next request', async (t) => {
  const service = await startService(t)

  const { key } = await create(t, service.cwd, '--name', 'till')

  assert.equal(await statusOf(service, key), 200)
})

test('a key revoked while the service runs is refused by the very next request, and others are not', async (t) => {
  const cwd = folderWithDatabase(t)
  const till = seed(cwd)
  const site = seed(cwd, { name: 'site' })
  const service = await startService(t, { cwd })
  const before = await statusOf(service, till.secret)

  await run(t, ['keys', 'revoke', till.id], { cwd })

  assert.equal(before, 200)
  assert.equal(await statusOf(service, till.secret), 401)
  assert.equal(await statusOf(service, site.secret), 200)
})

test('the command line makes, lists and revokes the last admin key', async (t) => {
  const cwd = folderWithDatabase(t)
  const { id } = await create(t, cwd, '--name', 'boss', '--permission', 'admin')

  const { stdout: listed } = await run(t, ['keys', 'list'], { cwd })
  const { code } = await run(t, ['keys', 'revoke', id], { cwd })

  assert.match(listed, /boss +admin +active/)
  assert.equal(code, 0)
})

test('a key with the permission to read may list and not create', async (t) => {
  const cwd = folderWithDatabase(t)
  const { key, permission } = await create(t, cwd, '--name', 'screen', '--permission', 'read')
  const service = await startService(t, { cwd })

  assert.equal(permission, 'read')
  assert.equal(await statusOf(service, key), 200)
  assert.equal(await statusOf(service, key, '{"name":"Rex","categoryId":1}'), 403)
})

test('a key that expires is refused by the running service from that moment', async (t) => {
  const service = await startService(t)

  // On a busy machine the first request may come too late: again with more time.
  for (let leadMs = 1_000, hasAsked = false; !hasAsked; leadMs *= 2) {
    const expiresAt = Date.now() + leadMs
    const { secret } = seed(service.cwd, { expiresAt })
    const before = await statusOf(service, secret)
    hasAsked = Date.now() < expiresAt
    if (hasAsked) assert.equal(before, 200)
    await passing(new Date(expiresAt).toISOString())
    assert.equal(await statusOf(service, secret), 401)
  }
})

test('a stored key bridges a change of PETSTORE_API_KEY: it works at once and after the restart', async (t) => {
  const [before, after] = ['the-key-of-the-settings-1', 'the-key-of-the-settings-2']
  const status = async ({ origin }: Service, key: string) =>
    (await fetch(`${origin}/v1/pets`, { headers: { authorization: `Bearer ${key}` } })).status
  const first = await startService(t, { env: { PETSTORE_API_KEY: before } })
  const { key: bridge } = await create(t, first.cwd, '--name', 'bridge', '--permission', 'admin')
  const running = [await status(first, before), await status(first, bridge)]

  await first.stop()
  const second = await startService(t, { cwd: first.cwd, env: { PETSTORE_API_KEY: after } })

  assert.deepEqual(running, [200, 200])
  assert.deepEqual(
    [await status(second, before), await status(second, bridge), await status(second, after)],
    [401, 200, 200],
  )
})
