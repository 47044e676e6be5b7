import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { CheckResult } from '../../src/storage/check/check.ts'
import { checkStorage } from '../../src/storage/check/check.ts'
import { openStorage } from '../../src/storage/open.ts'
import { connect } from '../../src/storage/postgres/connection/connect.ts'
import {
  migrate as migratePostgres,
  migrations as postgresMigrations,
} from '../../src/storage/postgres/schema/migrate.ts'
import { readServer } from '../../src/storage/postgres/connection/server.ts'
import { openForWriting } from '../../src/storage/sqlite/connection/database.ts'
import { migrate as migrateSqlite, migrations as sqliteMigrations } from '../../src/storage/sqlite/schema/migrate.ts'
import { startApp } from '../support/app.ts'
import { temporaryFolder } from '../support/engines.ts'
import { newPostgresDatabase, runSql } from '../support/postgres-databases.ts'

const rows = readFileSync(new URL('./fixtures/first-release.sql', import.meta.url), 'utf8')
/** The key that the first release printed, and the time at which its rows were written. */
const key = 'pet_live_mYzwC1e420Kp7vLkI5Zfn8udYvF0zfWx1pVnAU'
const writtenAt = Date.parse('2026-11-16T01:57:00Z')

/** What triggers and sequences of SQLite do, the first release did by itself on PostgreSQL. */
const postgresRows = `
  INSERT INTO pet_counts VALUES (-5, 'sold', 0), (1, 'available', 0), (1, 'pending', 2), (1, 'sold', 1),
    (2, 'available', 1), (2, 'pending', 0), (9007199254740993, '', 1);
  UPDATE counters SET last = 6 WHERE name = 'pets';
  UPDATE counters SET last = 3 WHERE name = 'orders';
  UPDATE counters SET last = 18 WHERE name = 'events';`

interface OldDatabase {
  engine: string
  /** The schema numbers of earlier releases, the first one's first. */
  releases: [first: number, ...later: number[]]
  /** Makes the database of the first release, migrated up to a schema number. */
  make(t: TestContext, schema: number): Promise<string>
}

const sqlite: OldDatabase = {
  engine: 'sqlite',
  releases: [3, 4],
  async make(t, schema) {
    const path = join(temporaryFolder(t), 'petstore.db')
    const db = openForWriting(path)
    migrateSqlite(db, path, sqliteMigrations().slice(0, 3))
    db.exec(rows)
    migrateSqlite(db, path, sqliteMigrations().slice(0, schema))
    db.close()
    return `sqlite:${path}`
  },
}

const postgres: OldDatabase = {
  engine: 'postgres',
  releases: [2, 3],
  async make(_t, schema) {
    const url = await newPostgresDatabase()
    const session = await connect(readServer(url))
    await migratePostgres(session, 'it', postgresMigrations().slice(0, 2))
    await runSql(url, rows + postgresRows)
    await migratePostgres(session, 'it', postgresMigrations().slice(0, schema))
    await session.end()
    return url
  },
}

for (const { engine, releases, make } of [sqlite, postgres]) {
  for (const schema of releases) {
    test(`${engine}: a database with schema ${schema} is upgraded, and everything in it is served`, async (t) => {
      const url = await make(t, schema)

      const clock = () => writtenAt
      const storage = await openStorage(url, { clock, environment: 'production' })
      t.after(() => storage.close())
      const { send, create, sendJson } = await startApp(t, { storage, clock })
      const headers = { authorization: `Bearer ${key}` }
      const get = async (path: string) => (await send(path, { headers })).text

      assert.equal(
        await get('/v1/pets'),
        '[{"id":1,"name":"Rex","categoryId":1,"status":"pending"},{"id":2,"name":"Ünï 🐇","categoryId":9007199254740993},' +
          '{"id":3,"name":"Tom","categoryId":1,"status":"sold"},{"id":5,"name":"Ada L.","categoryId":2,"status":"available"},' +
          '{"id":6,"name":"Imported","categoryId":1,"status":"pending"}]',
      )
      assert.deepEqual(
        JSON.parse(await get('/v1/store/orders')).map((order: { status: string }) => order.status),
        ['placed', 'completed', 'cancelled'],
      )
      assert.equal(await get('/v1/categories'), '[{"id":1,"name":"Dogs"}]')
      const events = JSON.parse(await get('/v1/events?limit=100')) as { id: string; type: string }[]
      assert.deepEqual(
        [events.length, events.at(-2)?.type, events.at(-1)?.type],
        [18, 'petstore.pet.deleted', 'petstore.pet.created'],
      )
      const { total, pending, none } = JSON.parse(await get('/v1/store/inventory')) as Record<string, number>
      assert.deepEqual({ total, pending, none }, { total: 5, pending: 2, none: 1 })
      const keys = (await storage.keys.list()).map(({ name, permission, revokedAt }) => [name, permission, revokedAt])
      // Before them is the key of the test itself.
      assert.deepEqual(keys.slice(1), [
        ['first key', 'write', undefined],
        ['reader', 'read', undefined],
        ['old', 'write', 1_794_794_217_750],
      ])

      const rex = { name: 'Rex', categoryId: 1, status: 'available' }
      const replayed = await create(rex, { ...headers, 'idempotency-key': 'first-rex' })
      const added = await create(rex, headers)
      const completed = await sendJson('PATCH /v1/store/orders/1', { status: 'completed' }, headers)
      assert.deepEqual([replayed.status, replayed.headers.get('idempotent-replayed')], [201, 'true'])
      assert.deepEqual(added.body, { id: 7, ...rex })
      assert.equal(completed.status, 200)
      assert.deepEqual(wrongIn(await Array.fromAsync(checkStorage(url, 'production'))), [])
    })
  }
}

test('postgres: the first release is refused on the present schema, the one before it is not', async () => {
  const session = await connect(readServer(await newPostgresDatabase()))
  await migratePostgres(session, 'it')
  const releases = postgres.releases.map((schema) => postgresMigrations().slice(0, schema))

  const [first, last] = await Promise.allSettled(releases.map((all) => migratePostgres(session, 'it', all)))
  await session.end()

  assert.match(
    String(first?.status === 'rejected' && first.reason),
    /a much newer version .*\(schema \d+, this one knows 2\)/,
  )
  assert.equal(last?.status, 'fulfilled')
})

function wrongIn(results: readonly CheckResult[]): CheckResult[] {
  return results.filter(({ result }) => result === 'wrong')
}
