import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { NewApiKey } from '../../src/inventory/keys.ts'
import { openStorage } from '../../src/storage/open.ts'
import { temporaryFolder } from '../support/engines.ts'
import { runAll, runSql } from '../support/postgres-databases.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { run, startService } from '../support/service.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
const till: NewApiKey = { id: 'key_till', name: 'till', permission: 'write', hash: 'hash', createdAt: 0 }

const page = readFileSync(new URL('../../docs/postgresql.md', import.meta.url), 'utf8')
/** The SQL that the document has about roles, block by block, each a list of statements. */
const blocks = [...page.slice(page.indexOf('## Roles')).matchAll(/^```sql\n(.*?)^```/gms)].map(([, text = '']) =>
  text.split(/;$/m).filter((statement) => statement.trim() !== ''),
)

let server: PostgresServer
const urlFor = (role: string) => server.urlOf('petstore').replace('postgres@', `${role}@`)

before(async () => {
  server = await startPostgres()
  const [roles = [], grants = []] = blocks
  await runAll(server.url, roles)
  await runAll(server.urlOf('petstore'), grants)
})
after(() => server.stop())

test('postgres: a role that may not migrate is told so, and serves after the owner migrates', async (t) => {
  await assert.rejects(openStorage(urlFor('petstore')), {
    name: 'StorageError',
    message: /schema 0, .* petstore migrate .* owner/,
  })

  const migrated = await run(t, ['migrate'], { env: { PETSTORE_DATABASE_URL: urlFor('petstore_owner') } })
  const { origin, key, stop } = await startService(t, { env: { PETSTORE_DATABASE_URL: urlFor('petstore') } })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  const created = await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body })
  const ready = await fetch(`${origin}/readyz`)

  assert.equal(migrated.code, 0)
  assert.deepEqual([created.status, ready.status], [201, 200])
  assert.equal(await stop(), 0)
})

test('postgres: the documented grants are enough for every write and for monitoring', async (t) => {
  const storage = await openStorage(urlFor('petstore'))
  t.after(() => storage.close())
  const idempotencyKey = { keyId: 'key_a', name: 'once', fingerprint: 'x' }

  const creation = await storage.pets.create(rex, idempotencyKey)
  const id = 'pet' in creation ? creation.pet.id : 0n
  await storage.pets.update(id, { name: 'Tom' })
  const placement = await storage.orders.place({ petId: id })
  await storage.orders.update('order' in placement ? placement.order.id : 0n, { status: 'cancelled' })
  await storage.pets.remove(id)
  await storage.categories.put({ id: 1n, name: 'Dogs' })
  await storage.categories.create({ name: 'Cats' })
  await storage.categories.remove(2n)
  await storage.keys.create(till)
  await storage.keys.touch(new Map([['key_till', 1]]))
  await storage.keys.rotate('key_till', { ...till, id: 'key_new', hash: 'new' }, 2)
  await storage.keys.revoke('key_new', 3)
  const forgotten = await storage.events.forget(Date.now() + 1_000, Date.now() + 1_000)
  await storage.check()
  const { databaseBytes = 0, walBytes } = await storage.size()

  assert.ok(forgotten > 0)
  assert.equal((await storage.keys.list()).length, 3)
  assert.ok(databaseBytes > 0)
  assert.equal(walBytes, undefined, 'the log is for administrators')
})

test('postgres: only an import needs TEMPORARY', async (t) => {
  const env = { PETSTORE_DATABASE_URL: urlFor('petstore') }
  const file = join(temporaryFolder(t), 'animals.csv')
  writeFileSync(file, 'name,categoryId\nRex,1\n')
  const withGrant = await run(t, ['import', file], { env })

  await runSql(server.urlOf('petstore'), 'REVOKE TEMPORARY ON DATABASE petstore FROM petstore')
  const without = await run(t, ['import', file], { env })
  const storage = await openStorage(env.PETSTORE_DATABASE_URL)
  t.after(() => storage.close())

  assert.deepEqual([withGrant.code, without.code], [0, 1])
  assert.equal((await storage.pets.create(rex)).outcome, 'created')
})

test('postgres: a read-only role is enough for a replica, an export and a check', async (t) => {
  await runSql(
    server.urlOf('petstore'),
    `CREATE ROLE reader LOGIN; GRANT CONNECT ON DATABASE petstore TO reader; GRANT USAGE ON SCHEMA public TO reader;
     GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader`,
  )
  const storage = await openStorage(urlFor('petstore'), { readUrl: urlFor('reader') })
  t.after(() => storage.close())

  const [{ items }, pets] = [await storage.pets.list({}, 20, 0n), await storage.pets.count({})]
  await Promise.all([storage.orders.list({}, 20, 0n), storage.categories.list(20, 0n), storage.check()])
  const exported = await run(t, ['export'], { env: { PETSTORE_DATABASE_URL: urlFor('reader') } })
  const checked = await run(t, ['check'], { env: { PETSTORE_DATABASE_URL: urlFor('reader') } })

  assert.equal(BigInt(items.length), pets)
  assert.doesNotMatch(checked.stdout, /could not be completed/)
  assert.match(checked.stdout, /^ok +schema +/m)
  assert.equal(exported.code, 0, exported.stderr)
  assert.equal(exported.stdout.trim().split('\n').length, items.length)
})
