import assert from 'node:assert/strict'
import { chownSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { keyHash, newApiKey } from '../../../src/inventory/key-secret.ts'
import { openStorage } from '../../../src/storage/open.ts'
import { nextVersion } from '../../support/next-version.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { run, runProcess, type Service, startService } from '../../support/service.ts'
import { assertRefused, env, filesIn, key, load, restore, shopAndBackup } from '../../support/restored-shop.ts'

test('restore drill: what was acknowledged before the backup is back exactly, and later positions are gone', async (t) => {
  const service = await startService(t, { env })
  const { cwd } = service
  await load(service, 40)
  const before = await everything(service)
  assert.equal((await run(t, ['backup', 'backup.db'], { cwd, env })).code, 0)
  await load(service, 20)
  const { position: lost } = await eventsOf(service, 80)
  const { position: last } = await eventsOf(service)
  await service.stop('SIGKILL')
  for (const name of readdirSync(cwd).filter((each) => each.startsWith('petstore.db'))) rmSync(join(cwd, name))

  const restored = await runProcess(t, ['restore', 'backup.db'], { cwd, env })

  assert.deepEqual([restored.code, restored.stderr], [0, ''])
  const { latest } = before
  assert.equal(
    restored.stdout,
    `Restored sqlite:petstore.db from backup.db: 40 animals, 10 orders and 60 events, the latest of ${latest}.\n` +
      'The backup has no key that works.\n',
  )
  const again = await startService(t, { env, cwd })
  assert.deepEqual(await everything(again), before)
  for (const position of [lost, last]) await assertGone(again, position)
  await load(again, 30)
  for (const position of [lost, last]) await assertGone(again, position)
  const checked = await run(t, ['check'], { cwd, env })
  assert.equal(checked.code, 0, checked.stdout)
})

test('restore keeps an existing database, unless told to replace it', async (t) => {
  const cwd = await shopAndBackup(t)
  const before = filesIn(cwd)

  assertRefused(await restore(t, cwd), /^petstore: The database petstore\.db exists already: use --overwrite .*\.\n$/)
  assert.deepEqual(filesIn(cwd), before)
})

test('restore --overwrite keeps the old database under a name with the time, and that can be restored too', async (t) => {
  const cwd = await shopAndBackup(t)
  const db = new DatabaseSync(join(cwd, 'petstore.db'))
  db.exec("INSERT INTO properties VALUES ('age', 'old')")
  db.close()

  const { code, stdout, stderr } = await restore(t, cwd, 'backup.db', '--overwrite')

  assert.deepEqual([code, stderr], [0, ''])
  const kept = /\nThe old database is now (petstore\.db\.replaced-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z)\.\n$/.exec(
    stdout,
  )
  assert.deepEqual([ageOf(cwd, 'petstore.db'), ageOf(cwd, kept?.[1] ?? '')], [undefined, 'old'])
  const back = await restore(t, cwd, kept?.[1], '--overwrite')
  assert.deepEqual([back.code, back.stderr], [0, ''])
  assert.equal(ageOf(cwd, 'petstore.db'), 'old')
})

test('restore says that revoked keys work again; --without-keys ends them all and makes an admin key', async (t) => {
  const cwd = await shopAndBackup(t)
  const backup = await openStorage(`sqlite:${join(cwd, 'backup.db')}`, { environment: 'production' })
  const made = ['till', 'web site'].map((name) => newApiKey('production', { name, permission: 'write', createdAt: 1 }))
  for (const { key: each } of made) await backup.keys.create(each)
  await backup.keys.revoke(made[1]?.key.id ?? '', 2)
  await backup.close()

  const asItWas = await restore(t, cwd, 'backup.db', '--overwrite')
  const withoutKeys = await restore(t, cwd, 'backup.db', '--overwrite', '--without-keys')

  assert.match(asItWas.stdout, /\n4 keys work again as they did then, also if revoked since: .*--without-keys\.\n/)
  const said =
    /\nAll keys of the backup are revoked \(4 worked\)\. A new admin key, shown only now:\n\n {2}(pet_live_\w+)\n/
  const [, secret = ''] = said.exec(withoutKeys.stdout) ?? []
  const storage = await openStorage(`sqlite:${join(cwd, 'petstore.db')}`)
  t.after(() => storage.close())
  const active = (await storage.keys.list()).filter(({ revokedAt }) => revokedAt === undefined)
  assert.deepEqual(
    active.map(({ name, permission }) => [name, permission]),
    [['restored', 'admin']],
  )
  assert.equal((await storage.keys.find(keyHash(secret)))?.id, active[0]?.id)
})

test('restore disables all webhooks of the backup and says so', async (t) => {
  const cwd = await shopAndBackup(t)
  const backup = await openStorage(`sqlite:${join(cwd, 'backup.db')}`, { environment: 'production' })
  const enabled = await backup.webhooks.enabled()
  const before = await backup.webhooks.list(100, 0n)
  await backup.close()

  const asItWas = await restore(t, cwd, 'backup.db', '--overwrite')
  const withoutKeys = await restore(t, cwd, 'backup.db', '--overwrite', '--without-keys')

  for (const { code, stdout } of [asItWas, withoutKeys]) {
    assert.equal(code, 0)
    assert.match(
      stdout,
      new RegExp(`\n${enabled.length} webhooks are disabled now, so that no event is sent from two `),
    )
    assert.doesNotMatch(stdout, /whsec_/)
  }
  const storage = await openStorage(`sqlite:${join(cwd, 'petstore.db')}`)
  t.after(() => storage.close())
  assert.ok(enabled.length > 1 && enabled.length < before.items.length)
  const { items } = await storage.webhooks.list(100, 0n)
  assert.deepEqual(
    items.map(({ disabledReason }) => disabledReason),
    before.items.map(({ disabledReason = 'restored' }) => disabledReason),
  )
})

test('restore ends all open invitations of the backup and says so', async (t) => {
  const cwd = await shopAndBackup(t)
  const backup = await openStorage(`sqlite:${join(cwd, 'backup.db')}`, { environment: 'production' })
  const { items: open } = await backup.invitations.list(100, 0n)
  await backup.close()

  const asItWas = await restore(t, cwd, 'backup.db', '--overwrite')
  const withoutKeys = await restore(t, cwd, 'backup.db', '--overwrite', '--without-keys')

  assert.ok(open.length > 1)
  for (const { code, stdout } of [asItWas, withoutKeys]) {
    assert.equal(code, 0)
    assert.match(stdout, new RegExp(`\n${open.length} open invitations have ended, so that none works twice: `))
    assert.ok(open.every(({ hash }) => !stdout.includes(hash)))
  }
  const storage = await openStorage(`sqlite:${join(cwd, 'petstore.db')}`)
  t.after(() => storage.close())
  const { items } = await storage.invitations.list(100, 0n)
  assert.deepEqual(
    items,
    open.map((invitation) => ({ ...invitation, expiresAt: invitation.createdAt })),
  )
})

test('restore --without-keys of a backup of an older version migrates it', async (t) => {
  const cwd = temporaryFolder(t)
  await (await openStorage(`sqlite:${join(cwd, 'backup.db')}`)).close()
  const { main: program } = await nextVersion()

  const { code, stdout } = await run(t, ['restore', 'backup.db', '--without-keys'], { program, cwd, env })

  assert.equal(code, 0)
  assert.match(stdout, /events\.\nAll keys of the backup are revoked \(0 worked\)\. [^\n]+\n\n {2}pet_live_\w+\n\n$/)
  assert.deepEqual(readdirSync(cwd).toSorted(), ['backup.db', 'petstore.db'])
})

test('restore replaces a damaged database', async (t) => {
  const cwd = await shopAndBackup(t)
  writeFileSync(join(cwd, 'petstore.db'), 'no database '.repeat(1000))

  const { code, stderr } = await restore(t, cwd, 'backup.db', '--overwrite')

  assert.deepEqual([code, stderr], [0, ''])
  assert.equal((await run(t, ['check'], { cwd, env })).code, 0)
})

test('restore of a backup of an older version says that only its files were verified, and serve migrates it', async (t) => {
  const cwd = temporaryFolder(t)
  await (await openStorage(`sqlite:${join(cwd, 'backup.db')}`)).close()
  const { main: program, schema } = await nextVersion()

  const { code, stdout } = await run(t, ['restore', 'backup.db'], { program, cwd, env })

  assert.equal(code, 0)
  assert.match(
    stdout,
    /: 0 animals, 0 orders and 0 events\.\nThe backup has no key that works\.\nThe backup is of an older version \(schema 100 of 101\), /,
  )
  await startService(t, { program, env, cwd })
  const db = new DatabaseSync(join(cwd, 'petstore.db'))
  t.after(() => db.close())
  assert.equal(db.prepare('PRAGMA user_version').get()?.['user_version'], schema)
})

test('a file that root restores belongs to the owner of the folder', { skip: process.getuid?.() !== 0 }, async (t) => {
  const cwd = await shopAndBackup(t)
  mkdirSync(join(cwd, 'data'))
  chownSync(join(cwd, 'data'), 65534, 65534)
  const url = { PETSTORE_DATABASE_URL: 'sqlite:data/petstore.db' }

  const { code } = await run(t, ['restore', 'backup.db'], { cwd, env: url })

  assert.deepEqual([code, statSync(join(cwd, 'data/petstore.db')).uid], [0, 65534])
})

function ageOf(cwd: string, name: string): unknown {
  const db = new DatabaseSync(join(cwd, name))
  const row = db.prepare("SELECT value FROM properties WHERE name = 'age'").get()
  db.close()
  return row?.['value']
}

async function get({ origin }: Service, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(origin + path, { headers: { authorization: `Bearer ${key}`, ...headers } })
}

async function eventsOf(service: Service, limit = 100): Promise<{ events: { time: string }[]; position: string }> {
  const response = await get(service, `/v1/events?limit=${limit}`)
  const events = (await response.json()) as { time: string }[]
  return { events, position: response.headers.get('event-position') ?? '' }
}

async function everything(service: Service) {
  const { events } = await eventsOf(service)
  const pets: unknown = await (await get(service, '/v1/pets?limit=100')).json()
  const orders: unknown = await (await get(service, '/v1/store/orders?limit=100')).json()
  return { pets, orders, events, latest: events.at(-1)?.time }
}

async function assertGone(service: Service, position: string): Promise<void> {
  assert.match(position, /^\d+-\w+$/)
  assert.equal((await get(service, `/v1/events?after=${position}`)).status, 410)
  const stream = { accept: 'text/event-stream', 'last-event-id': position }
  assert.equal((await get(service, '/v1/events', stream)).status, 410)
}
