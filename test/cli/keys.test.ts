import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { keyHash } from '../../src/inventory/key-secret.ts'
import { temporaryFolder } from '../support/engines.ts'
import { folderWithDatabase, run, runProcess } from '../support/service.ts'
import { assertRefused, create, databaseOf, hour, type KeyOut, seed, stored } from '../support/cli-keys.ts'

test('keys create prints the key once, in words', async (t) => {
  const { code, stdout, stderr } = await runProcess(t, ['keys', 'create', '--name', 'till'], {
    cwd: folderWithDatabase(t),
  })

  assert.deepEqual([code, stderr], [0, ''])
  assert.match(
    stdout,
    /^Created key_\w{12} \(till\) in sqlite:\.\/data\/petstore\.db\. The key, shown only now:\n\n {2}pet_live_\w{38}\n\n$/,
  )
})

test('keys create --json has the key, its id, name, permission and time', async (t) => {
  const before = Date.now()

  const key = await create(t, folderWithDatabase(t), '--name', 'till')

  assert.deepEqual(Object.keys(key), ['id', 'name', 'permission', 'key', 'createdAt'])
  assert.match(key.id, /^key_\w{12}$/)
  assert.match(key.key, /^pet_live_\w{38}$/)
  assert.deepEqual([key.name, key.permission], ['till', 'write'])
  assert.ok(Date.parse(key.createdAt) >= before && Date.parse(key.createdAt) <= Date.now())
})

test('keys create stores the SHA-256 of the key and never the key', async (t) => {
  const cwd = folderWithDatabase(t)

  const { key } = await create(t, cwd, '--name', 'till')

  assert.deepEqual(
    stored(cwd).map(({ hash }) => hash),
    [keyHash(key)],
  )
  assert.ok(!readFileSync(databaseOf(cwd)).includes(key))
})

test('keys create prints no control characters of a name', async (t) => {
  const { stdout } = await run(t, ['keys', 'create', '--name', 'till\u001b[2K\n'], { cwd: folderWithDatabase(t) })

  assert.match(stdout, /^Created key_\w+ \(till\\u001b\[2K\\u000a\) in /)
})

test('keys create in staging makes a key that starts with pet_test_', async (t) => {
  const env = { PETSTORE_ENVIRONMENT: 'staging' }
  const cwd = folderWithDatabase(t, 'data/petstore-staging.db')

  const { stdout } = await run(t, ['keys', 'create', '--name', 'till', '--json'], { cwd, env })

  assert.match((JSON.parse(stdout) as KeyOut).key, /^pet_test_/)
})

test('keys create --expires 90d ends the key 90 days from now', async (t) => {
  const before = Date.now()

  const { expiresAt = '' } = await create(t, folderWithDatabase(t), '--name', 'till', '--expires', '90d')

  const from = Date.parse(expiresAt) - 90 * 24 * hour
  assert.ok(from >= before && from <= Date.now())
})

for (const [args, sentence] of [
  [['--name', ' '], /^petstore: --name must have 1 to 100 characters, not only white space\.\n$/],
  [['--name', '🐶'.repeat(101)], /^petstore: --name must have 1 to 100 characters/],
  [['--name', 'till', '--permission', 'root'], /^petstore: --permission must be read, write or admin, got "root"\.\n$/],
  [['--name', 'till', '--expires', '2020-01-01'], /^petstore: --expires must be in the future, got "2020-01-01"\.\n$/],
  [['--name', 'till', '--expires', '999999999d'], /^petstore: --expires must be .*, got "999999999d"\.\n$/],
] as const) {
  test(`keys create ${args.join(' ')} is refused in one sentence and makes no key`, async (t) => {
    const cwd = folderWithDatabase(t)
    seed(cwd)

    const ran = await run(t, ['keys', 'create', ...args], { cwd })

    assertRefused(ran, sentence)
    assert.equal(stored(cwd).length, 1)
  })
}

test('keys list says how to make a key when there are none', async (t) => {
  const { code, stdout } = await run(t, ['keys', 'list'], { cwd: folderWithDatabase(t) })

  assert.equal(code, 0)
  assert.match(stdout, /no keys in sqlite:\.\/data\/petstore\.db yet.*keys create --name/)
})

test('keys list --json of an empty store is an empty array', async (t) => {
  const { stdout } = await run(t, ['keys', 'list', '--json'], { cwd: folderWithDatabase(t) })

  assert.deepEqual(JSON.parse(stdout), [])
})

test('keys list shows every key with its state, oldest first', async (t) => {
  const cwd = folderWithDatabase(t)
  const site = seed(cwd, {
    name: 'web site',
    permission: 'read',
    createdAt: 2 * hour,
    expiresAt: Date.UTC(2099, 0, 31),
  })
  const till = seed(cwd, { name: 'till', createdAt: hour })

  const { code, stdout } = await run(t, ['keys', 'list'], { cwd })

  assert.equal(code, 0)
  assert.deepEqual(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
    [
      ['ID', 'NAME', 'PERMISSION', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED', 'REPLACED BY'],
      [till.id, 'till', 'write', 'active', '1970-01-01 01:00Z', 'never', 'never'],
      [site.id, 'web site', 'read', 'active', '1970-01-01 02:00Z', '2099-01-31 00:00Z', 'never'],
      [''],
      ['The keys of sqlite:./data/petstore.db.'],
    ],
  )
})

test('keys list --json has every key with its state and times, and neither key nor hash', async (t) => {
  const cwd = folderWithDatabase(t)
  const active = seed(cwd, { name: 'active' })
  const expired = seed(cwd, { name: 'expired', expiresAt: hour })
  const revoked = seed(cwd, { name: 'revoked' }, (writes, id) => writes.revokeKey({ id, at: hour }))
  const used = seed(cwd, { name: 'used' }, (writes, id) => writes.touchKeys(new Map([[id, hour]])))

  const { stdout } = await run(t, ['keys', 'list', '--json'], { cwd })

  const createdAt = '1970-01-01T00:00:00.000Z'
  const then = '1970-01-01T01:00:00.000Z'
  assert.deepEqual(JSON.parse(stdout), [
    { id: active.id, name: 'active', permission: 'write', createdAt, state: 'active' },
    { id: expired.id, name: 'expired', permission: 'write', createdAt, expiresAt: then, state: 'expired' },
    { id: revoked.id, name: 'revoked', permission: 'write', createdAt, revokedAt: then, state: 'revoked' },
    { id: used.id, name: 'used', permission: 'write', createdAt, lastUsedAt: then, state: 'active' },
  ])
})

test('keys revoke takes an id and says what it did', async (t) => {
  const cwd = folderWithDatabase(t)
  const { id } = seed(cwd)
  const before = Date.now()

  const { code, stdout } = await run(t, ['keys', 'revoke', id], { cwd })

  assert.deepEqual(
    [code, stdout],
    [0, `Revoked ${id} (till) in sqlite:./data/petstore.db. It is refused from now on.\n`],
  )
  assert.ok(Number(stored(cwd)[0]?.revoked_at) >= before)
})

test('keys revoke --json takes a name and has the time', async (t) => {
  const cwd = folderWithDatabase(t)
  const { id } = seed(cwd)
  const before = Date.now()

  const { stdout } = await run(t, ['keys', 'revoke', 'till', '--json'], { cwd })

  const revoked = JSON.parse(stdout) as KeyOut
  assert.deepEqual(Object.keys(revoked), ['id', 'name', 'permission', 'createdAt', 'revokedAt'])
  assert.equal(revoked.id, id)
  assert.ok(Date.parse(revoked.revokedAt ?? '') >= before)
})

test('keys revoke of a revoked key keeps the first time', async (t) => {
  const cwd = folderWithDatabase(t)
  const { id } = seed(cwd, {}, (writes, id) => writes.revokeKey({ id, at: hour }))

  const { code, stdout } = await run(t, ['keys', 'revoke', id, '--json'], { cwd })

  assert.equal(code, 0)
  assert.equal((JSON.parse(stdout) as KeyOut).revokedAt, '1970-01-01T01:00:00.000Z')
  assert.equal(stored(cwd)[0]?.revoked_at, hour)
})

for (const verb of ['revoke', 'rotate']) {
  test(`keys ${verb} of an unknown id is refused and says where to look`, async (t) => {
    const ran = await run(t, ['keys', verb, 'key_nobody'], { cwd: folderWithDatabase(t) })

    assertRefused(ran, /^petstore: No key has the id or the name "key_nobody": petstore keys list shows them\.\n$/)
  })

  test(`keys ${verb} of a name that two active keys have is refused and changes neither`, async (t) => {
    const cwd = folderWithDatabase(t)
    seed(cwd)
    seed(cwd)
    const before = stored(cwd)

    const ran = await run(t, ['keys', verb, 'till'], { cwd })

    assertRefused(ran, /^petstore: 2 active keys are called "till": use the id\.\n$/)
    assert.deepEqual(stored(cwd), before)
  })
}

test('a name means the one active key that has it, revoked and expired ones aside', async (t) => {
  const cwd = folderWithDatabase(t)
  seed(cwd, {}, (writes, id) => writes.revokeKey({ id, at: hour }))
  seed(cwd, { expiresAt: hour })
  const { id } = seed(cwd)

  const { stdout } = await run(t, ['keys', 'revoke', 'till', '--json'], { cwd })

  assert.equal((JSON.parse(stdout) as KeyOut).id, id)
})

test('keys of a database in memory are refused', async (t) => {
  const ran = await run(t, ['keys', 'list'], { env: { PETSTORE_DATABASE_URL: 'sqlite::memory:' } })

  assertRefused(ran, /^petstore: Keys of an in-memory database .*PETSTORE_DATABASE_URL to a file\.\n$/)
})

test('keys commands refuse a wrong setting by its name', async (t) => {
  const cwd = temporaryFolder(t)
  const ran = await run(t, ['keys', 'list'], { cwd, env: { PETSTORE_ENVIRONMENT: 'test' } })

  assertRefused(ran, /^petstore: PETSTORE_ENVIRONMENT must be one of production, staging, got "test"\.\n$/)
  assert.ok(!existsSync(join(cwd, 'data')))
})
