import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { keyHash } from '../../src/inventory/key-secret.ts'
import { openStorage } from '../../src/storage/open.ts'
import { folderWithDatabase, run } from '../support/service.ts'

function invite(t: TestContext, cwd: string, args: readonly string[], env: Record<string, string> = {}) {
  return run(t, ['keys', 'invite', ...args], { cwd, env })
}

const anna = ['--name', 'Anna', '--permission', 'write']

test('keys invite prints a link once, whose token can be redeemed', async (t) => {
  const cwd = folderWithDatabase(t)

  const { code, stdout } = await invite(t, cwd, anna, { PETSTORE_HOST: '0.0.0.0', PETSTORE_PORT: '8123' })

  assert.equal(code, 0)
  const [, token = ''] = /\n\n {2}http:\/\/127\.0\.0\.1:8123\/#invitation=(pet_invite_\w{32})\n/.exec(stdout) ?? []
  const storage = await openStorage(`sqlite:${join(cwd, 'data/petstore.db')}`)
  t.after(() => storage.close())
  const invitation = await storage.invitations.findByHash(keyHash(token))
  assert.deepEqual([invitation?.name, invitation?.permission, invitation?.invitedBy], ['Anna', 'write', undefined])
})

test('keys invite counts the characters of a name as the API does', async (t) => {
  const name = '🐶'.repeat(100)

  const { stdout } = await invite(t, folderWithDatabase(t), ['--name', name, '--permission', 'read', '--json'])

  assert.equal((JSON.parse(stdout) as { name: string }).name, name)
})

test('keys invite --json has the link at the configured base address', async (t) => {
  const env = { PETSTORE_BASE_URL: 'https://shop.example/pets/v1' }

  const { stdout } = await invite(t, folderWithDatabase(t), [...anna, '--expires', '1h', '--json'], env)

  const { token, link, createdAt, expiresAt, ...others } = JSON.parse(stdout) as Record<string, string>
  assert.deepEqual(others, { id: 1, name: 'Anna', permission: 'write' })
  assert.equal(link, `https://shop.example/pets/#invitation=${token}`)
  assert.ok(Date.parse(expiresAt ?? '') > Date.parse(createdAt ?? ''))
})

for (const [wrong, args, message] of [
  [
    'a permission',
    ['--name', 'Anna', '--permission', 'owner'],
    /^petstore: --permission must be read, write or admin/m,
  ],
  ['an empty name', ['--name', ' ', '--permission', 'read'], /^petstore: --name must have 1 to 100 characters/m],
  ['no time', [...anna, '--expires', '0m'], /^petstore: --expires must be in the future, got "0m"/m],
  ['a long time', [...anna, '--expires', '25h'], /^petstore: --expires must be at most 24 hours from now/m],
  ['the past', [...anna, '--expires', '2020-01-01'], /^petstore: --expires must be in the future/m],
] as const) {
  test(`keys invite refuses ${wrong}`, async (t) => {
    const { code, stdout, stderr } = await invite(t, folderWithDatabase(t), args)

    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, message)
  })
}
