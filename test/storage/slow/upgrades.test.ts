import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStorage } from '../../../src/storage/open.ts'
import { connect } from '../../../src/storage/postgres/connection/connect.ts'
import { readServer } from '../../../src/storage/postgres/connection/server.ts'
import { colorColumn } from '../../support/color-version.ts'
import { postgres, sqlite } from '../../support/engines.ts'
import { nextVersion } from '../../support/next-version.ts'
import { newPostgresDatabase, runSql } from '../../support/postgres-databases.ts'
import { startService } from '../../support/service.ts'
import { unlessStalled } from '../../support/promised-time.ts'
import { until } from '../../support/until.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
const idempotencyKey = { keyId: 'key_a', name: 'once', fingerprint: 'x' }

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: an upgrade keeps animals, positions of events and stored responses`, async (t) => {
    const url = engine === sqlite ? await sqlite.url(t) : await newPostgresDatabase()
    const before = await openStorage(url)
    const creation = await before.pets.create(rex, idempotencyKey)
    const position = await before.events.latest()
    await before.close()
    const { openStorage: openNext } = await nextVersion(colorColumn)

    const migrated: string[] = []
    const after = await openNext(url, { migrated: (names) => migrated.push(...names) })
    t.after(() => after.close())

    assert.deepEqual(await after.pets.create(rex, idempotencyKey), { ...creation, outcome: 'replayed' })
    assert.deepEqual((await after.pets.list({ name: 'rex' }, 20, 0n)).items.length, 1)
    assert.equal((await after.events.list(20, position.id, position.lineage)).missed, false)
    const files = Object.keys(colorColumn[engine === sqlite ? 'sqlite' : 'postgres'] ?? {})
    assert.deepEqual(
      migrated,
      files.map((name) => `0101-${name.slice(0, -'.sql'.length)}`),
    )
  })
}

test('postgres: an upgrade beside a long report and under load fails no request of the version before', async (t) => {
  // A read is refused after two seconds: on a machine that stands still, that is not the fault of the migration.
  await unlessStalled(200, async () => {
    const url = await newPostgresDatabase()
    const old = await openStorage(url)
    t.after(() => old.close())
    const stored = await old.pets.create(rex, idempotencyKey)
    const { openStorage: openNext } = await nextVersion(colorColumn)
    const over = new AbortController()
    let requests = 0
    async function load(): Promise<void> {
      for (; !over.signal.aborted; requests++) {
        await Promise.all([old.pets.create(rex), old.pets.list({}, 20, 0n), old.orders.list({}, 20, 0n)])
      }
    }

    const report = await connect(readServer(url))
    await report.run({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM pets' })
    const problems: string[] = []
    const opening = openNext(url, { report: (problem) => problems.push(String(problem)) })
    t.after(() => opening.then((next) => next.close()))
    const loads = Promise.all([load(), load()])
    try {
      await Promise.race([until(() => problems.length > 0), loads])
      const requestsBefore = requests
      await Promise.race([until(() => requests > requestsBefore + 2), loads])
    } finally {
      // Also after a failure: the migration waits for the report, and the load for nobody.
      await report.end()
      await Promise.allSettled([opening])
      over.abort()
      await Promise.allSettled([loads])
    }
    await loads
    const next = await opening

    assert.match(
      problems[0] ?? '',
      /^The migration 0101-1-color of .* waits for a lock: the oldest transaction is of process /,
    )
    assert.deepEqual(await next.pets.create(rex, idempotencyKey), { ...stored, outcome: 'replayed' })
    assert.deepEqual(await old.pets.create(rex, idempotencyKey), { ...stored, outcome: 'replayed' })
    assert.equal(await next.pets.count({}), await old.pets.count({}))
    const isValid = "SELECT indisvalid FROM pg_index WHERE indexrelid = 'pets_by_color'::regclass"
    assert.deepEqual(await runSql(url, isValid), [[true]])
  })
})

test('sqlite: two processes that open a database of the version before at once both serve it', async (t) => {
  const url = await sqlite.url(t)
  await (await openStorage(url)).close()
  const { main: program } = await nextVersion()
  const env = { PETSTORE_DATABASE_URL: url, PETSTORE_LOG_LEVEL: 'silent' }

  const services = await Promise.all([startService(t, { program, env }), startService(t, { program, env })])

  const key = services.find((service) => service.key !== '')?.key
  for (const { origin } of services) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
    assert.equal((await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body })).status, 201)
  }
})

test('postgres: the version before can be started again after an upgrade', async (t) => {
  const url = await newPostgresDatabase()
  await (await openStorage(url)).close()
  const { openStorage: openNext } = await nextVersion(colorColumn)
  await (await openNext(url)).close()

  const again = await openStorage(url)
  t.after(() => again.close())

  assert.equal((await again.pets.create(rex)).outcome, 'created')
})

test('postgres: a dump that was restored over the database of a newer version is recognised', async () => {
  const url = await newPostgresDatabase()
  const { openStorage: openNext, inspectStorage: inspectNext } = await nextVersion()
  await (await openNext(url)).close()
  // pg_restore --clean replaces the tables of the dump, and leaves those that it does not have.
  await runSql(url, 'DELETE FROM petstore_migrations WHERE number = 101')

  const inspection = await inspectNext(url)

  await assert.rejects(openNext(url), {
    name: 'StorageError',
    message:
      /cannot be migrated: the schema is 100, but table something_new is of a newer one, .* into an empty database instead/,
  })
  assert.equal(inspection?.newerPart, 'table something_new')
})
