import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyHash } from '../../src/inventory/key-secret.ts'
import { openStorage } from '../../src/storage/open.ts'
import { postgres, sqlite } from '../support/engines.ts'
import { folderWithDatabase, run, startService } from '../support/service.ts'
import { assertRefused, hour, type KeyOut, passing, seed, statusOf, stored } from '../support/cli-keys.ts'

test('keys rotate --json has a new key of the same name and permission, and when the old one ends', async (t) => {
  const cwd = folderWithDatabase(t)
  const old = seed(cwd, { permission: 'read' })
  const before = Date.now()

  const { stdout } = await run(t, ['keys', 'rotate', 'till', '--json'], { cwd })

  const rotated = JSON.parse(stdout) as KeyOut
  const ends = Date.parse(rotated.replacedKeyExpiresAt ?? '')
  assert.notEqual(rotated.key, old.secret)
  assert.deepEqual([rotated.name, rotated.permission, rotated.replaces], ['till', 'read', old.id])
  assert.ok(ends - 24 * hour >= before && ends - 24 * hour <= Date.now(), 'the old key does not end in 24 hours')
  assert.deepEqual(
    stored(cwd).map(({ hash, expires_at }) => [hash, expires_at]),
    [
      [keyHash(old.secret), ends],
      [keyHash(rotated.key), null],
    ],
  )
})

test('keys rotate says in words until when the old key works', async (t) => {
  const cwd = folderWithDatabase(t)
  const { id } = seed(cwd)

  const { stdout } = await run(t, ['keys', 'rotate', id, '--grace', '2099-01-31'], { cwd })

  assert.match(stdout, new RegExp(`${id} works until 2099-01-31 00:00Z\\. The new key.*:\\n\\n {2}pet_live_\\w{38}\\n`))
})

test('keys rotate of a key with a working successor names it, and how to go on', async (t) => {
  const cwd = folderWithDatabase(t)
  const { id } = seed(cwd)
  const first = JSON.parse((await run(t, ['keys', 'rotate', id, '--json'], { cwd })).stdout) as KeyOut

  const again = await run(t, ['keys', 'rotate', id], { cwd })
  const list = JSON.parse((await run(t, ['keys', 'list', '--json'], { cwd })).stdout) as { replacedBy?: string }[]

  assert.equal(again.code, 1)
  assert.match(
    again.stderr,
    new RegExp(`working successor, ${first.id}\\. .* petstore keys revoke ${first.id} and rotate`),
  )
  assert.deepEqual(
    list.map(({ replacedBy }) => replacedBy),
    [first.id, undefined],
  )
})

test('keys rotate never lengthens the life of the old key', async (t) => {
  const cwd = folderWithDatabase(t)
  const expiresAt = Date.now() + hour
  const { id } = seed(cwd, { expiresAt })

  const { stdout } = await run(t, ['keys', 'rotate', id, '--json'], { cwd })

  assert.equal((JSON.parse(stdout) as KeyOut).replacedKeyExpiresAt, new Date(expiresAt).toISOString())
  assert.equal(stored(cwd)[0]?.expires_at, expiresAt)
})

for (const engine of [sqlite, postgres]) {
  for (const [what, args, hours] of [
    ['expires when the old one would have', [], 48],
    ['expires when --expires says', ['--expires', '72h'], 72],
  ] as const) {
    test(`${engine.name}: keys rotate of a key that expires makes one that ${what}`, async (t) => {
      const url = await engine.url(t)
      const env = { PETSTORE_DATABASE_URL: url }
      await (await openStorage(url)).close()
      const created = await run(t, ['keys', 'create', '--name', 'till', '--expires', '48h', '--json'], { env })
      const old = JSON.parse(created.stdout) as KeyOut

      const { stdout } = await run(t, ['keys', 'rotate', 'till', '--json', ...args], { env })

      const { id, expiresAt = '' } = JSON.parse(stdout) as KeyOut
      const expected = Date.parse(old.expiresAt ?? '') + (hours - 48) * hour
      assert.ok(Math.abs(Date.parse(expiresAt) - expected) < (hours === 48 ? 1 : hour), expiresAt)
      const storage = await openStorage(url)
      t.after(() => storage.close())
      const stored = (await storage.keys.list()).find((key) => key.id === id)
      assert.equal(stored?.expiresAt, Date.parse(expiresAt))
    })
  }
}

for (const option of ['--expires', '--grace']) {
  test(`keys rotate with a wrong ${option} is refused and changes nothing`, async (t) => {
    const cwd = folderWithDatabase(t)
    const { id } = seed(cwd)
    const before = stored(cwd)

    const ran = await run(t, ['keys', 'rotate', id, option, 'soon'], { cwd })

    assertRefused(ran, new RegExp(`^petstore: ${option} must be a time such as .*, got "soon"\\.\n$`))
    assert.deepEqual(stored(cwd), before)
  })
}

test('keys rotate of a revoked key is refused and makes no key', async (t) => {
  const cwd = folderWithDatabase(t)
  const { id } = seed(cwd, {}, (writes, id) => writes.revokeKey({ id, at: hour }))

  const ran = await run(t, ['keys', 'rotate', id], { cwd })

  assertRefused(ran, /^petstore: key_\w+ is revoked: create a new key instead\.\n$/)
  assert.equal(stored(cwd).length, 1)
})

test('a rotated key goes on working, and the new one works at once', async (t) => {
  const cwd = folderWithDatabase(t)
  const old = seed(cwd)
  const service = await startService(t, { cwd })

  const { stdout } = await run(t, ['keys', 'rotate', old.id, '--json'], { cwd })

  assert.equal(await statusOf(service, old.secret), 200)
  assert.equal(await statusOf(service, (JSON.parse(stdout) as KeyOut).key), 200)
})

test('a key rotated with --grace 1s dies after it, and the new one lives on', async (t) => {
  const cwd = folderWithDatabase(t)
  const old = seed(cwd)
  const service = await startService(t, { cwd })
  const before = await statusOf(service, old.secret)

  const { stdout } = await run(t, ['keys', 'rotate', old.id, '--grace', '1s', '--json'], { cwd })
  const rotated = JSON.parse(stdout) as KeyOut
  await passing(rotated.replacedKeyExpiresAt)

  assert.equal(before, 200)
  assert.equal(await statusOf(service, old.secret), 401)
  assert.equal(await statusOf(service, rotated.key), 200)
})
