import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { connect } from '../../src/storage/postgres/connection/connect.ts'
import { readServer } from '../../src/storage/postgres/connection/server.ts'
import { openReaders, readerSettings } from '../../src/storage/postgres/reads/readers.ts'
import { migrate } from '../../src/storage/postgres/schema/migrate.ts'
import { toMigration } from '../../src/storage/shared/migration-files.ts'
import { openCopyTarget } from '../../src/storage/postgres/upkeep/copy-target.ts'
import { openSnapshot } from '../../src/storage/postgres/upkeep/snapshot.ts'
import { writerSettings } from '../../src/storage/postgres/writes/writer.ts'
import { newPostgresDatabase, runAll, runSql } from '../support/postgres-databases.ts'
import { until } from '../support/until.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
const idempotencyKey = { keyId: 'key_till', name: 'once', fingerprint: 'x' }
/** Tables that only a service which did everything has written. */
const written =
  'api_keys categories category_counts counters events idempotency_records lineages orders pet_totals pets properties'

test('postgres: every kind of session has jit off', async (t) => {
  const server = readServer(await newPostgresDatabase())
  const kinds = {
    reader: { settings: readerSettings },
    writer: { settings: writerSettings },
    import: { pipeline: false },
    command: {},
  }

  for (const [kind, options] of Object.entries(kinds)) {
    const session = await connect(server, options)
    t.after(() => session.end())
    assert.deepEqual((await session.run({ text: 'SHOW jit' })).rows, [['off']], kind)
  }
})

test('postgres behind a pooler: every read has jit off', async (t) => {
  const url = await newPostgresDatabase()
  const server = readServer(`${url}?pooler=transaction`)
  const readers = openReaders(server)
  t.after(() => readers.close())
  const seen: unknown[] = []
  const snapshot = await openSnapshot(server, async ({ run }) => void seen.push((await run({ text: 'SHOW jit' })).rows))
  t.after(() => snapshot.close())

  assert.deepEqual((await readers.read({ text: 'SHOW jit' })).rows, [['off']])
  assert.deepEqual(seen, [[['off']]])
})

for (const pooler of ['none', 'transaction']) {
  test(`postgres, pooler=${pooler}: every write is durable and has jit off, whatever the database says`, async (t) => {
    const url = `${await newPostgresDatabase()}?pooler=${pooler}`
    await (await openStorage(url)).close()
    await recordSettings(url)
    await setForAll(url, 'synchronous_commit = off')
    const storage = await openStorage(url, { environment: 'production' })
    t.after(() => storage.close())
    await endSessions(url)
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
    await storage.events.forget(Date.now() + 1)
    await storage.deleteExpiredResponses()

    assert.equal((await recordedTables(url)).join(' '), written)
    assert.deepEqual(await recordedSettings(url), [['off', 'on']])
  })
}

test('postgres: a stronger synchronous_commit is kept', async (t) => {
  const url = await newPostgresDatabase()
  await setForAll(url, 'synchronous_commit = remote_apply')
  const storage = await openStorage(url)
  t.after(() => storage.close())
  await recordSettings(url)

  await storage.pets.create(rex)

  assert.deepEqual(await recordedSettings(url), [['off', 'remote_apply']])
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
  assert.deepEqual(await recordedSettings(url), [['off', 'on']])
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
      assert.ok((await storage.pets.count({})) > 0n, start)
    }
  })
}

/** Every statement that writes to a table records the settings of its transaction. */
async function recordSettings(url: string): Promise<void> {
  const tables = (await runSql(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")) as [string][]
  await runAll(url, [
    'CREATE TABLE recorded (name text, jit text, commits text)',
    `CREATE FUNCTION record_settings() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       INSERT INTO recorded VALUES (TG_TABLE_NAME, current_setting('jit'), current_setting('synchronous_commit'));
       RETURN NULL;
     END $$`,
    ...tables.map(
      ([table]) => `CREATE TRIGGER record_settings AFTER INSERT OR UPDATE OR DELETE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION record_settings()`,
    ),
  ])
}

async function recordedTables(url: string): Promise<unknown[]> {
  return (await runSql(url, 'SELECT DISTINCT name FROM recorded ORDER BY name')).flat()
}

function recordedSettings(url: string): Promise<unknown[][]> {
  return runSql(url, 'SELECT DISTINCT jit, commits FROM recorded ORDER BY jit, commits')
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
