import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from 'pg'
import type { PetStoreError } from '../../src/inventory/errors.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { connected, isUnavailable, postgresInstances } from '../support/postgres-instances.ts'
import { assertPassed } from '../support/promised-time.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
/** In every group on a connection that has written before: what comes after the counters were locked. */
const afterLock = 'add_pets'

const { asAdmin, newDatabase, opened, openBehindProxy } = postgresInstances()

for (const [when, lastStatement, write] of [
  ['during a group', afterLock, ({ pets }: Storage) => pets.create(rex)],
  [
    'between the facts of a group and its changes',
    'raise_counters',
    ({ orders }: Storage) => orders.place({ petId: 1n }),
  ],
] as const) {
  test(`postgres: an instance that vanishes ${when} blocks the others only for seconds`, async (t) => {
    const url = await newDatabase()
    const { storage: vanishing, proxy } = await openBehindProxy(t, url)
    const other = await opened(t, url)
    await vanishing.pets.create(rex)

    const admin = await connected(t, url)
    proxy.pass = (bytes) =>
      bytes.subarray(0, bytes.includes(lastStatement) ? bytes.indexOf(lastStatement) : bytes.length)
    const lost = write(vanishing).catch((error: unknown) => error)
    await until(async () => (await holders(admin)).join() === 'active ClientRead')
    const started = performance.now()
    const checks: unknown[] = []
    await until(async () => {
      checks.push(await other.check().catch((error: unknown) => error))
      return checks.some(isUnavailable) && checks.at(-1) === undefined
    })

    assertPassed(6_000, started)
    assert.ok(isUnavailable(await lost))
    assert.deepEqual(await other.pets.find(1n), { id: 1n, ...rex })
    assert.deepEqual(await other.pets.create(rex), { outcome: 'created', pet: { id: 2n, ...rex } })
  })
}

test('postgres: a holder of the counters that waits for a replica is never ended', async (t) => {
  const url = await newDatabase()
  const [first, second] = [await opened(t, url), await opened(t, url)]
  const admin = await connected(t, url)
  await second.pets.create(rex)
  await synchronousStandby('nobody')
  t.after(() => synchronousStandby(''))

  const waiting = first.pets.create(rex).catch((error: unknown) => error)
  await until(async () => (await holders(admin)).length === 1)
  const refusals: PetStoreError[] = []
  await until(async () => {
    const error = await second.pets.create(rex).catch((error: unknown) => error)
    if (isUnavailable(error)) refusals.push(error)
    return /since (3[1-9]|[4-9]\d)\d\d ms/.test(String((error as Error).cause))
  })
  const stillThere = await holders(admin)
  await assert.rejects(second.check(), isUnavailable)
  await synchronousStandby('')

  assert.match(String(refusals.at(-1)?.cause), /active, waiting for SyncRep/)
  assert.deepEqual(stillThere, ['active SyncRep'])
  assert.ok(isUnavailable(await waiting))
  await until(() =>
    second.check().then(
      () => true,
      () => false,
    ),
  )
  assert.equal(await second.pets.count({}), 2n)
})

test('postgres: an instance is ready while the holder of the counters works, and not while it idles', async (t) => {
  const url = await newDatabase()
  const storage = await opened(t, url)
  const admin = await connected(t, url)
  await storage.pets.create(rex)

  await admin.query('BEGIN; SELECT * FROM counters FOR UPDATE')
  const working = admin.query('SELECT pg_sleep(60)').catch(() => undefined)
  await assert.rejects(storage.pets.create(rex), isUnavailable)
  await storage.check()
  await asAdmin((client) =>
    client.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'"),
  )
  await working
  await admin.query('ROLLBACK')
  await storage.check()
  await admin.query('BEGIN; SELECT * FROM counters FOR UPDATE')
  await assert.rejects(storage.pets.create(rex), (error) => {
    assert.match(String((error as Error).cause), /idle in transaction/)
    return isUnavailable(error)
  })
  await assert.rejects(storage.check(), isUnavailable)
  await admin.query('ROLLBACK')

  await until(() =>
    storage.check().then(
      () => true,
      () => false,
    ),
  )
})

test('postgres: a create that waits too long for an import is unavailable and not stored', async (t) => {
  const url = await newDatabase()
  const [importing, serving] = [await opened(t, url), await opened(t, url)]
  // Two sessions: within a transaction, PostgreSQL shows the activity of others as it was when first asked for.
  const [admin, locking] = [await connected(t, url), await connected(t, url)]
  await serving.pets.create(rex)
  await locking.query('BEGIN; LOCK TABLE pets IN SHARE MODE')
  const adding = importing.imports.add([rex, rex])
  await until(async () => (await holders(admin)).includes('active relation'))

  await assert.rejects(serving.pets.create(rex), isUnavailable)
  await locking.query('COMMIT')

  assert.equal(await adding, true)
  assert.deepEqual(await serving.pets.create(rex), { outcome: 'created', pet: { id: 4n, ...rex } })
  assert.equal(await serving.pets.count({}), 4n)
})

test('postgres: an instance that can no longer write is not ready', async (t) => {
  const url = await newDatabase()
  const admin = await connected(t, url)
  await (await openStorage(url)).close()
  await admin.query('CREATE ROLE looker LOGIN; GRANT ALL ON ALL TABLES IN SCHEMA public TO looker')
  const storage = await opened(t, url.replace('postgres@', 'looker@'))
  await storage.check()
  await admin.query('REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public FROM looker')

  await assert.rejects(storage.check(), isUnavailable)
})

/** What the sessions do that have begun to write. */
async function holders(admin: Client): Promise<string[]> {
  const { rows } = await admin.query(
    `SELECT state || ' ' || wait_event AS doing FROM pg_stat_activity
       WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()`,
  )
  return (rows as { doing: string }[]).map(({ doing }) => doing)
}

async function synchronousStandby(name: string): Promise<void> {
  await asAdmin(async (client) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`)
    await client.query('SELECT pg_reload_conf()')
    await until(async () => {
      const { rows } = await client.query('SHOW synchronous_standby_names')
      return (rows[0] as { synchronous_standby_names: string }).synchronous_standby_names === name
    })
  })
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, 'it did not come true in time')
    await wait(20)
  }
}
