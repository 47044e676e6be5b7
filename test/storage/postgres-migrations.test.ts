import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openStorage } from '../../src/storage/open.ts'
import { connect } from '../../src/storage/postgres/connection/connect.ts'
import type { Session } from '../../src/storage/postgres/connection/database.ts'
import type { Migration } from '../../src/storage/shared/migration-files.ts'
import { latestSchema, migrate, migrations } from '../../src/storage/postgres/schema/migrate.ts'
import { readServer } from '../../src/storage/postgres/connection/server.ts'
import { expectedSchema } from '../../src/storage/postgres/upkeep/schema-objects.ts'
import { describe } from '../support/describe-postgres.ts'
import { newPostgresDatabase, runSql } from '../support/postgres-databases.ts'
import { run } from '../support/service.ts'

test('postgres: migrations are numbered from 100 without gaps and named after what they do', () => {
  const all = migrations()

  assert.ok(all.length > 0)
  for (const [index, { number, name }] of all.entries()) {
    assert.equal(number, index + 100)
    assert.match(name, /^\d{4}(-[a-z0-9]+)+$/)
  }
})

test('postgres: the migrations make the schema that petstore check compares with', async () => {
  assert.deepEqual(await describe(await newPostgresDatabase()), expectedSchema(), 'run npm run schema')
})

test('postgres: migrate brings an empty database to the latest schema, and then applies nothing', async (t) => {
  const { session } = await emptyDatabase(t)

  const first = await migrate(session, 'it')
  const second = await migrate(session, 'it')

  assert.deepEqual([first, second], [migrations().map(({ name }) => name), []])
})

test('postgres: migrate of a migrated database does not wait for a lock', async (t) => {
  const { session, url } = await emptyDatabase(t)
  await migrate(session, 'it')
  const other = await connect(readServer(url))
  t.after(() => other.end())
  await other.run({ text: 'BEGIN; SELECT pg_advisory_xact_lock(1346458707)' })

  assert.deepEqual(await migrate(session, 'it'), [])
})

test('postgres: migrate applies only missing migrations, in order', async (t) => {
  const { session } = await emptyDatabase(t)
  await migrate(session, 'it', [step(100, 'CREATE TABLE a (x int)')])

  const applied = await migrate(session, 'it', [
    step(100, 'CREATE TABLE a (x int)'),
    step(101, 'ALTER TABLE a ADD y int'),
    step(102, 'ALTER TABLE a RENAME y TO z'),
  ])

  assert.deepEqual(applied, ['0101-step', '0102-step'])
})

test('postgres: a failed migration leaves the old schema and can be run again after a fix', async (t) => {
  const { session, url } = await emptyDatabase(t)
  const first = step(100, 'CREATE TABLE a (x int)')

  await assert.rejects(
    migrate(session, 'it', [first, step(101, 'CREATE TABLE b (x int); INSERT INTO nowhere VALUES (1)')]),
  )
  const tablesAfter = await tables(url)
  const applied = await migrate(session, 'it', [first, step(101, 'CREATE TABLE b (x int)')])

  assert.deepEqual(tablesAfter, ['a', 'petstore_migrations'])
  assert.deepEqual(applied, ['0101-step'])
})

test('postgres: a migration whose process is killed leaves the old schema', async (t) => {
  const { session, url } = await emptyDatabase(t)
  const migrating = migrate(session, 'it', [step(100, 'CREATE TABLE a (x int); SELECT pg_sleep(60)')])
  const failing = assert.rejects(migrating)

  await wait(200)
  session.drop('the process is killed')
  await runSql(
    url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()",
  )
  await failing

  assert.deepEqual(await tables(url), [])
})

test('postgres: four processes that start at once on an empty database migrate it once', async (t) => {
  const url = await newPostgresDatabase()

  const ran = await Promise.all(
    Array.from({ length: 4 }, () => run(t, ['migrate'], { env: { PETSTORE_DATABASE_URL: url } })),
  )

  assert.deepEqual(
    ran.map(({ code, stderr }) => [code, stderr]),
    ran.map(() => [0, '']),
  )
  assert.deepEqual(
    await runSql(url, 'SELECT name FROM petstore_migrations ORDER BY number'),
    migrations().map(({ name }) => [name]),
  )
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
  const { session, url } = await emptyDatabase(t)
  await runSql(
    url,
    "CREATE TABLE petstore_migrations (number int4, name text); INSERT INTO petstore_migrations VALUES (4, 'old')",
  )

  for (const open of [
    () => migrate(session, 'it'),
    () => openStorage(url),
    () => openStorage(url, { create: false }),
  ]) {
    await assert.rejects(open, { name: 'StorageError', message: /before the first release \(schema 4\), / })
  }

  assert.deepEqual(await tables(url), ['petstore_migrations'])
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

function step(number: number, sql: string): Migration {
  return { number, name: `0${number}-step`, sql }
}

async function emptyDatabase(t: TestContext): Promise<{ session: Session; url: string }> {
  const url = await newPostgresDatabase()
  const session = await connect(readServer(url))
  t.after(() => session.end())
  return { session, url }
}

async function tables(url: string): Promise<unknown[]> {
  const rows = await runSql(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
  return rows.map(([name]) => name)
}
