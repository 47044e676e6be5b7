import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { DeliveryLease } from '../../src/inventory/deliveries.ts'
import { openStorage } from '../../src/storage/open.ts'
import { connect } from '../../src/storage/postgres/connection/connect.ts'
import type { SessionOptions } from '../../src/storage/postgres/connection/database.ts'
import type { Statement } from '../../src/storage/postgres/connection/statement.ts'
import { readServer } from '../../src/storage/postgres/connection/server.ts'
import { neededSettings, sessionSettings, type Settings } from '../../src/storage/postgres/connection/settings.ts'
import { openReaders, readerSettings } from '../../src/storage/postgres/reads/readers.ts'
import { migrate } from '../../src/storage/postgres/schema/migrate.ts'
import { toMigration } from '../../src/storage/shared/migration-files.ts'
import { openCopyTarget } from '../../src/storage/postgres/upkeep/copy-target.ts'
import { openSnapshot } from '../../src/storage/postgres/upkeep/snapshot.ts'
import { runWrites } from '../../src/storage/postgres/writes/transaction.ts'
import { writerSettings } from '../../src/storage/postgres/writes/writer.ts'
import { hostileBehindPooler, hostileDatabase } from '../support/hostile-role.ts'
import { newPostgresDatabase, runAll, runSql } from '../support/postgres-databases.ts'
import { until } from '../support/until.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
const idempotencyKey = { keyId: 'key_till', name: 'once', fingerprint: 'x' }
/** Tables that only a service which did everything has written. */
const written =
  'api_keys categories category_counts counters day_counts delivery_lease delivery_positions delivery_tries events ' +
  'idempotency_records import_parts import_requests imports invitations lineages orders pet_totals pets properties webhooks'

const kinds: Record<string, SessionOptions> = {
  reader: { settings: readerSettings },
  writer: { settings: writerSettings },
  import: { pipeline: false },
  command: {},
}

test('postgres: every kind of session has the settings that it needs, whatever the role sets', async (t) => {
  const server = readServer(await hostileDatabase(t, await newPostgresDatabase()))

  for (const [kind, options] of Object.entries(kinds)) {
    const session = await connect(server, options)
    t.after(() => session.end())
    const needed = Object.entries({ ...sessionSettings, ...options.settings })
    // The system may not tell those of TCP.
    const told = Object.fromEntries(needed.filter(([name]) => !name.startsWith('tcp_')))
    assert.deepEqual((await session.run(differingFrom(told))).rows, [], kind)
  }
})

test('postgres: no session writes outside of a transaction that begins to write', async (t) => {
  const url = await newPostgresDatabase()
  await runSql(url, 'CREATE TABLE pets (name text)')
  const server = readServer(url)

  for (const [kind, options] of Object.entries(kinds)) {
    const session = await connect(server, options)
    t.after(() => session.end())
    const insert = { text: "INSERT INTO pets VALUES ('Rex')" }
    await assert.rejects(session.run(insert), { code: '25006' }, kind)
    await runWrites(session, [[insert]])
  }
})

test('postgres: one file begins transactions that write, and one session builds indexes outside of them', () => {
  assert.deepEqual(filesWith('READ WRITE'), ['connection/begin.ts'])
  assert.deepEqual(filesWith("default_transaction_read_only: 'off'"), ['schema/apply-migration.ts'])
})

test('postgres behind a pooler: every read has the settings that it needs, whatever the role sets', async (t) => {
  const url = await hostileDatabase(t, await newPostgresDatabase(), hostileBehindPooler)
  const server = readServer(`${url}?pooler=transaction`)
  const readers = openReaders(server)
  t.after(() => readers.close())
  const seen: unknown[] = []
  const snapshot = await openSnapshot(server, async ({ run }) => {
    seen.push(...(await run(differingFrom(neededSettings))).rows)
  })
  t.after(() => snapshot.close())

  const differing = await readers.read(differingFrom({ ...neededSettings, statement_timeout: '1500ms' }))
  assert.deepEqual(differing.rows, [])
  assert.deepEqual(seen, [])
})

for (const pooler of ['none', 'transaction']) {
  test(`postgres, pooler=${pooler}: every write is durable and has the settings that it needs, whatever the role sets`, async (t) => {
    const admin = await newPostgresDatabase()
    const database = await hostileDatabase(t, admin, hostileBehindPooler)
    const url = `${database}?pooler=${pooler}`
    await (await openStorage(url)).close()
    const owner = Object.assign(new URL(admin), { pathname: new URL(url).pathname }).href
    await recordSettings(owner)
    const storage = await openStorage(url, { environment: 'production' })
    t.after(() => storage.close())
    await endSessions(owner)
    await until(() =>
      storage.check().then(
        () => true,
        () => false,
      ),
    )

    await storage.pets.create(rex)
    await storage.pets.create(rex, idempotencyKey)
    await storage.pets.update(1n, { name: 'Max' })
    await storage.orders.place({ petId: 1n })
    await storage.pets.remove(2n)
    await storage.categories.create({ name: 'Dogs' })
    await storage.keys.create({ id: 'key_till', name: 'till', permission: 'write', hash: 'hash', createdAt: 0 })
    await storage.keys.touch(new Map([['key_till', 1]]))
    await storage.imports.add([rex], () => ({ key: { ...idempotencyKey, name: 'file' }, before: undefined, body: '' }))
    const part = { name: 'spring', keyId: 'key_till', keyName: 'till', rejected: 0, isLast: true, digest: 'x' }
    await storage.imports.add([rex], undefined, undefined, undefined, () => part)
    assert.equal((await storage.imports.undo({ name: 'spring', after: 0n })).outcome, 'done')
    await storage.events.forget(Date.now() + 1)
    assert.equal(await storage.imports.forget(), 2)
    await storage.deleteExpiredResponses()
    await storage.webhooks.create({ url: 'https://hook.example/' })
    await storage.invitations.create({ name: 'Ann', permission: 'read', hash: 'hash', expiresAt: Date.now() + 60_000 })
    const lease = (await storage.deliveries.acquire('a service', 60_000)) as DeliveryLease
    const attempt = { webhookId: 1n, eventId: 1n, type: 'petstore.pet.created', at: 1, attempt: 1, durationMs: 1 }
    const positions = [{ webhookId: 1n, eventId: 1n, attempts: 0 }]
    assert.ok(await storage.deliveries.record(lease, 60_000, { positions, tries: [attempt] }))
    await storage.deliveries.addTry(attempt)
    await storage.deliveries.forget([1n])
    assert.equal(await storage.deliveries.forgetOld(2), 2)
    await storage.deliveries.release(lease)

    assert.equal((await recordedTables(owner)).join(' '), written)
    assert.deepEqual(await recordedSettings(owner), [['on', null]])
  })
}

test('postgres: a stronger synchronous_commit is kept', async (t) => {
  const url = await newPostgresDatabase()
  await setForAll(url, 'synchronous_commit = remote_apply')
  const storage = await openStorage(url)
  t.after(() => storage.close())
  await recordSettings(url)

  await storage.pets.create(rex)

  assert.deepEqual(await recordedSettings(url), [['remote_apply', null]])
})

test('postgres: migrations and copies are durable, whatever the database says', async (t) => {
  const url = await newPostgresDatabase()
  await setForAll(url, 'synchronous_commit = off')
  const server = readServer(url)
  const session = await connect(server)
  t.after(() => session.end())
  const sql = "CREATE TABLE migrated AS SELECT current_setting('synchronous_commit')"
  await migrate(session, server, { all: [toMigration('0100-step', sql)] })
  await runSql(url, 'DROP TABLE petstore_migrations')

  const target = await openCopyTarget(url)
  t.after(() => target.close())
  await recordSettings(url)
  await target.begin('a shop', [['pets', 1n]])
  await target.add('pets', [[1n, 'Rex', 1n, null]], undefined)
  await target.finish()

  assert.deepEqual(await runSql(url, 'SELECT * FROM migrated'), [['on']])
  assert.deepEqual(await recordedSettings(url), [['on', null]])
})

for (const pooler of ['none', 'transaction']) {
  test(`postgres, pooler=${pooler}: a database that is read-only by default is started and served`, async (t) => {
    const url = `${await newPostgresDatabase()}?pooler=${pooler}`
    await setForAll(url, 'default_transaction_read_only = on')

    for (const start of ['first', 'second']) {
      const storage = await openStorage(url, { environment: 'production' })
      t.after(() => storage.close())
      await storage.pets.create(rex)
      await storage.imports.add([rex])
      await storage.check()
      assert.ok(await storage.deliveries.acquire('a service', 60_000), start)
      assert.ok((await storage.pets.count({})) > 0n, start)
    }
  })
}

/** The settings that have another value, as far as the server knows them. */
function differingFrom(settings: Settings): Statement {
  const values = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`)
  return {
    text: `SELECT name, current_setting(name, true) AS value FROM (VALUES ${values.join(', ')}) AS needed (name, value)
      WHERE current_setting(name, true) <> value`,
  }
}

// Those that a transaction sets for itself.
const { lock_timeout: _lock, idle_in_transaction_session_timeout: _idle, ...needed } = neededSettings
const inTransaction: Settings = {
  ...needed,
  transaction_isolation: 'read committed',
  transaction_read_only: 'off',
}

/** Every statement that writes to a table records the settings of its transaction. */
async function recordSettings(url: string): Promise<void> {
  const tables = (await runSql(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")) as [string][]
  await runAll(url, [
    'CREATE TABLE recorded (name text, commits text, differing text)',
    'GRANT INSERT ON recorded TO PUBLIC',
    `CREATE FUNCTION record_settings() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       INSERT INTO recorded SELECT TG_TABLE_NAME, current_setting('synchronous_commit'), string_agg(name, ' ')
         FROM (${differingFrom(inTransaction).text}) AS differing;
       RETURN NULL;
     END $$`,
    ...tables.map(
      ([table]) => `CREATE TRIGGER record_settings AFTER INSERT OR UPDATE OR DELETE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION record_settings()`,
    ),
    // A role may set that triggers are skipped.
    ...tables.map(([table]) => `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER record_settings`),
  ])
}

async function recordedTables(url: string): Promise<unknown[]> {
  return (await runSql(url, 'SELECT DISTINCT name FROM recorded ORDER BY name')).flat()
}

function recordedSettings(url: string): Promise<unknown[][]> {
  return runSql(url, 'SELECT DISTINCT commits, differing FROM recorded ORDER BY 1, 2')
}

/** The files of the engine that have this text. */
function filesWith(text: string): string[] {
  const folder = new URL('../../src/storage/postgres/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return files.filter((name) => readFileSync(new URL(name, folder), 'utf8').includes(text))
}

/** For new sessions. */
async function setForAll(url: string, setting: string): Promise<void> {
  await runSql(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`)
}

async function endSessions(url: string): Promise<void> {
  await runSql(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
}
