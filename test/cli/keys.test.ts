import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Failure } from '../../src/cli/shared/failure.ts'
import { readFutureTime } from '../../src/cli/future-time.ts'
import { keyHash, newKeyId, newKeySecret } from '../../src/inventory/key-secret.ts'
import type { NewApiKey } from '../../src/inventory/keys.ts'
import { openForWriting } from '../../src/storage/sqlite/connection/database.ts'
import { migrate } from '../../src/storage/sqlite/schema/migrate.ts'
import { prepareCounts } from '../../src/storage/sqlite/schema/counts.ts'
import { maintenanceWrites } from '../../src/storage/sqlite/writes/maintenance-writes.ts'
import { ruleWrites } from '../../src/storage/sqlite/rules/rule-writes.ts'
import { openStorage } from '../../src/storage/open.ts'
import { postgres, sqlite, temporaryFolder } from '../support/engines.ts'
import { folderWithDatabase, type Ran, run, runProcess, type Service, startService } from '../support/service.ts'

interface KeyOut {
  id: string
  name: string
  permission: string
  key: string
  createdAt: string
  expiresAt?: string
  revokedAt?: string
  state?: string
  replaces?: string
  replacedKeyExpiresAt?: string
}

const hour = 60 * 60 * 1000

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

for (const [text, at] of Object.entries({
  '30s': 30_000,
  '30m': hour / 2,
  '12h': 12 * hour,
  '90d': 90 * 24 * hour,
  '1970-01-31': 30 * 24 * hour,
  '2099-12-31': Date.UTC(2099, 11, 31),
  '2096-02-29': Date.UTC(2096, 1, 29),
  '2099-12-31T23:59:59Z': Date.UTC(2099, 11, 31, 23, 59, 59),
})) {
  test(`a moment may be ${text}`, () => {
    assert.equal(readFutureTime('--expires', text, 0), at)
  })
}

for (const text of [
  'tomorrow',
  '',
  '90',
  'd',
  '-1d',
  '1.5h',
  ' 1d',
  '1w',
  '2099-13-01',
  '2099-02-31',
  '2099-01-31T25:00Z',
  '999999999d',
]) {
  test(`a moment may not be "${text}"`, () => {
    assert.throws(
      () => readFutureTime('--expires', text, 0),
      (error) => {
        assert.ok(error instanceof Failure)
        assert.match(error.message, /^--expires must be a time such as 90d, 12h, 30m or 2027-01-31, got ".*"\.$/)
        assert.ok(error.message.includes(`"${text}"`))
        return true
      },
    )
  })
}

test('a key cannot expire in the moment in which it is made, but one that is replaced can', () => {
  assert.throws(() => readFutureTime('--expires', '0d', 0), { message: '--expires must be in the future, got "0d".' })
  assert.equal(readFutureTime('--grace', '0d', 0, { mayBeNow: true }), 0)
})

test('a moment may not be past', () => {
  assert.throws(() => readFutureTime('--grace', '2020-01-01', Date.UTC(2020, 0, 2), { mayBeNow: true }), {
    message: '--grace must be now or in the future, got "2020-01-01".',
  })
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

async function create(t: TestContext, cwd: string, ...args: string[]): Promise<KeyOut> {
  const { code, stdout, stderr } = await run(t, ['keys', 'create', '--json', ...args], { cwd })
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as KeyOut
}

function writesOf(db: DatabaseSync) {
  return { ...ruleWrites(db, prepareCounts(db)), ...maintenanceWrites(db) }
}

/** Puts a key into the database that the command line uses in a folder, and does to it what `more` does. */
function seed(
  cwd: string,
  key: Partial<NewApiKey> = {},
  more: (writes: ReturnType<typeof writesOf>, id: string) => unknown = () => undefined,
): { id: string; secret: string } {
  const secret = newKeySecret('production')
  const id = newKeyId()
  const db = openForWriting(databaseOf(cwd))
  migrate(db, databaseOf(cwd))
  const writes = writesOf(db)
  writes.createKey({ id, name: 'till', permission: 'write', hash: keyHash(secret), createdAt: 0, ...key })
  more(writes, id)
  db.close()
  return { id, secret }
}

function stored(cwd: string): Record<string, unknown>[] {
  const db = new DatabaseSync(databaseOf(cwd))
  try {
    return db.prepare('SELECT * FROM api_keys ORDER BY rowid').all()
  } finally {
    db.close()
  }
}

function databaseOf(cwd: string): string {
  return join(cwd, 'data', 'petstore.db')
}

async function passing(moment = ''): Promise<void> {
  await wait(Math.max(0, Date.parse(moment) - Date.now()) + 20)
}

async function statusOf({ origin }: Service, key: string, body?: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/v1/pets`, body === undefined ? { headers } : { method: 'POST', body, headers })
  await answer.arrayBuffer()
  return answer.status
}

function assertRefused({ code, stdout, stderr }: Ran, sentence: RegExp): void {
  assert.match(stderr, sentence)
  assert.deepEqual([code, stdout], [1, ''])
}

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
