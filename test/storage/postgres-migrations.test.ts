import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { connect } from '../../src/storage/postgres/connection/connect.ts'
import type { Session } from '../../src/storage/postgres/connection/database.ts'
import { type Migration, toMigration } from '../../src/storage/shared/migration-files.ts'
import { latestSchema, migrate, migrations, schemaNumber } from '../../src/storage/postgres/schema/migrate.ts'
import { readServer, type Server } from '../../src/storage/postgres/connection/server.ts'
import { expectedSchema } from '../../src/storage/postgres/schema/schema-objects.ts'
import { describe } from '../support/describe-postgres.ts'
import { newPostgresDatabase, runSql } from '../support/postgres-databases.ts'
import { until } from '../support/until.ts'

test('postgres: migrations are numbered from 100 without gaps and named after what they do', () => {
  const all = migrations()

  assert.ok(all.length > 0)
  for (const [index, { number, name }] of all.entries()) {
    const before = all[index - 1]?.number ?? 99
    assert.ok(number === before + 1 || (index > 0 && number === before), name)
    assert.match(name, /^\d{4}(-[a-z0-9]+)+(\.concurrently)?$/)
  }
})

test('postgres: the migrations make the schema that petstore check compares with', async () => {
  assert.deepEqual(await describe(await newPostgresDatabase()), expectedSchema(), 'run npm run make -- schema')
})

test('postgres: migrate brings an empty database to the latest schema, and then applies nothing', async (t) => {
  const { session, server } = await emptyDatabase(t)

  const first = await migrate(session, server)
  const second = await migrate(session, server)

  assert.deepEqual([first, second], [migrations().map(({ name }) => name), []])
})

test('postgres: a start beside another one, or after its kill, goes on between two files of the first schema', async (t) => {
  const { session, server } = await emptyDatabase(t)
  const all = [toMigration('0100-a', 'CREATE TABLE a (x int)'), toMigration('0100-b', 'CREATE TABLE b (x int)')]
  await migrate(session, server, { all: all.slice(0, 1) })

  const between = await schemaNumber(session, all)
  const applied = await migrate(session, server, { all })

  assert.deepEqual([between, applied, await schemaNumber(session, all)], [0, ['0100-b'], 100])
})

test('postgres: migrate of a migrated database does not wait for a lock', async (t) => {
  const { session, server, url } = await emptyDatabase(t)
  await migrate(session, server)
  const other = await connect(readServer(url))
  t.after(() => other.end())
  await other.run({ text: 'BEGIN; SELECT pg_advisory_xact_lock(1346458707)' })

  assert.deepEqual(await migrate(session, server), [])
})

test('postgres: migrate applies only missing migrations, in order', async (t) => {
  const { session, server } = await emptyDatabase(t)
  await migrate(session, server, { all: [step(100, 'CREATE TABLE a (x int)')] })

  const applied = await migrate(session, server, {
    all: [
      step(100, 'CREATE TABLE a (x int)'),
      step(101, 'ALTER TABLE a ADD y int'),
      step(102, 'ALTER TABLE a RENAME y TO z'),
    ],
  })

  assert.deepEqual(applied, ['0101-step', '0102-step'])
})

test('postgres: a failed migration leaves the old schema and can be run again after a fix', async (t) => {
  const { session, server, url } = await emptyDatabase(t)
  const first = step(100, 'CREATE TABLE a (x int)')

  await assert.rejects(
    migrate(session, server, { all: [first, step(101, 'CREATE TABLE b (x int); INSERT INTO nowhere VALUES (1)')] }),
  )
  const tablesAfter = await tables(url)
  const applied = await migrate(session, server, { all: [first, step(101, 'CREATE TABLE b (x int)')] })

  assert.deepEqual(tablesAfter, ['a', 'petstore_migrations'])
  assert.deepEqual(applied, ['0101-step'])
})

test('postgres: a migration whose process is killed leaves the old schema', async (t) => {
  const { session, server, url } = await emptyDatabase(t)
  const migrating = migrate(session, server, { all: [step(100, 'CREATE TABLE a (x int); SELECT pg_sleep(60)')] })
  const failing = assert.rejects(migrating)

  const kill =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()"
  await until(async () => (await runSql(url, kill)).length > 0)
  await failing

  assert.deepEqual(await tables(url), [])
})

test('postgres: a migration is not cancelled by a statement timeout of the database', async (t) => {
  const { session, server, url } = await emptyDatabase(t)
  await migrate(session, server)
  await runSql(
    url,
    `INSERT INTO pets VALUES (1, 'Rex', 1, NULL, 'rex');
     CREATE FUNCTION slowly(int8) RETURNS int8 IMMUTABLE LANGUAGE plpgsql AS
       'BEGIN PERFORM pg_sleep(0.3); RETURN $1; END';
     ALTER DATABASE ${new URL(url).pathname.slice(1)} SET statement_timeout = 100`,
  )

  const applied = await migrate(session, server, {
    all: [
      ...migrations(),
      step(101, 'SELECT pg_sleep(0.3)'),
      toMigration('0102-slow.concurrently', 'CREATE INDEX CONCURRENTLY IF NOT EXISTS slow ON pets (slowly(id))'),
    ],
  })

  assert.deepEqual(applied, ['0101-step', '0102-slow.concurrently'])
})

test('postgres: a migration that was killed between two of its files goes on with the second', async (t) => {
  const { session, server } = await emptyDatabase(t)
  const first = toMigration('0101-1-color', 'ALTER TABLE pets ADD COLUMN color text')
  await migrate(session, server, { all: [...migrations(), first] })

  const applied = await migrate(session, server, { all: [...migrations(), first, colorIndex] })

  assert.deepEqual(applied, [colorIndex.name])
  assert.equal(await schemaNumber(session, [...migrations(), first]), 101)
  assert.equal(await schemaNumber(session, [...migrations(), first, colorIndex, step(101, '')]), 100)
})

test('postgres: an index that a killed migration has half built is built anew', async (t) => {
  const { session, server, url } = await emptyDatabase(t)
  const first = toMigration('0101-1-color', 'ALTER TABLE pets ADD COLUMN color text')
  await migrate(session, server, { all: [...migrations(), first] })
  await runSql(url, 'CREATE INDEX pets_by_color ON pets (name)')
  await runSql(url, "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'pets_by_color'::regclass")

  await migrate(session, server, { all: [...migrations(), first, colorIndex] })

  const found =
    "SELECT indisvalid, pg_get_indexdef(indexrelid) FROM pg_index WHERE indexrelid = 'pets_by_color'::regclass"
  const [[isValid, definition] = []] = await runSql(url, found)
  assert.equal(isValid, true)
  assert.match(String(definition), /\(color, id\)$/)
})

test('postgres: a schema that is one migration ahead is served, for rollouts and rollbacks', async () => {
  const url = await migratedTo(1)

  const storage = await openStorage(url)
  const creation = await storage.pets.create({ name: 'Rex', categoryId: 1n })
  await storage.close()

  assert.equal(creation.outcome, 'created')
})

test('postgres: a schema that is further ahead is refused', async () => {
  const url = await migratedTo(2)

  await assert.rejects(openStorage(url), { name: 'StorageError', message: /newer version/ })
})

test('postgres: a database from before the first release is refused and unchanged', async (t) => {
  const { session, server, url } = await emptyDatabase(t)
  await runSql(
    url,
    "CREATE TABLE petstore_migrations (number int4, name text); INSERT INTO petstore_migrations VALUES (4, 'old')",
  )

  for (const open of [
    () => migrate(session, server),
    () => openStorage(url),
    () => openStorage(url, { create: false }),
  ]) {
    await assert.rejects(open, { name: 'StorageError', message: /before the first release \(schema 4\), / })
  }

  assert.deepEqual(await tables(url), ['petstore_migrations'])
})

test('postgres: a database of number 100 without an index by name is from before the first release', async (t) => {
  const { session, server, url } = await emptyDatabase(t)
  await migrate(session, server)
  await runSql(url, 'DROP INDEX pets_by_name')

  for (const open of [
    () => migrate(session, server),
    () => openStorage(url),
    () => openStorage(url, { create: false }),
  ]) {
    await assert.rejects(open, { name: 'StorageError', message: /before the first release \(schema 100\), / })
  }
})

test('postgres: a database with tables of another program is refused and unchanged', async () => {
  const url = await newPostgresDatabase()
  await runSql(url, 'CREATE TABLE pets (tag text)')

  await assert.rejects(openStorage(url), { name: 'StorageError', message: /another program/ })

  assert.deepEqual(await tables(url), ['pets'])
})

test('postgres: a user who may not create tables gets an error sentence', async () => {
  const url = await newPostgresDatabase()
  await runSql(url, 'DO $$ BEGIN CREATE ROLE guest LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$')
  const asGuest = new URL(url)
  asGuest.username = 'guest'

  await assert.rejects(openStorage(asGuest.href), {
    name: 'StorageError',
    message: /has schema 0, .* petstore migrate as the owner/,
  })
})

/** A database whose last migration is so many further than the program knows. */
async function migratedTo(ahead: number): Promise<string> {
  const url = await newPostgresDatabase()
  await (await openStorage(url)).close()
  for (let number = 1; number <= ahead; number++) {
    await runSql(url, `INSERT INTO petstore_migrations VALUES (${latestSchema() + number}, 'later')`)
  }
  return url
}

const colorIndex = toMigration(
  '0101-2-color-index.concurrently',
  '-- For a list by color.\nCREATE INDEX CONCURRENTLY IF NOT EXISTS pets_by_color ON pets (color, id);\n',
)

function step(number: number, sql: string): Migration {
  return toMigration(`0${number}-step`, sql)
}

async function emptyDatabase(t: TestContext): Promise<{ session: Session; server: Server; url: string }> {
  const url = await newPostgresDatabase()
  const server = readServer(url)
  const session = await connect(server)
  t.after(() => session.end())
  return { session, server, url }
}

async function tables(url: string): Promise<unknown[]> {
  const rows = await runSql(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
  return rows.map(([name]) => name)
}
