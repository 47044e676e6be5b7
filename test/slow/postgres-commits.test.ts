import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from 'pg'
import { openStorage } from '../../src/storage/open.ts'
import {
  answered,
  assertServes,
  assertUnavailable,
  breakablePostgres,
  connected,
  isUnavailable,
  rex,
} from '../support/breakable-postgres.ts'
import { assertPassed, assertWithin } from '../support/promised-time.ts'
import { startProxy } from '../support/proxy.ts'

const postgres = breakablePostgres()

test('postgres: a write blocked by another program is unavailable in time, reads continue', async (t) => {
  const { storage, admin } = await postgres.opened(t)
  await storage.pets.create(rex)
  await admin.query('BEGIN; SELECT * FROM counters FOR UPDATE')

  const started = performance.now()
  const writes = [storage.pets.create(rex), wait(500).then(() => storage.pets.create(rex))]
  const count = await storage.pets.count({})
  const results = await Promise.all(writes.map((write) => write.catch((error: unknown) => error)))
  assertPassed(answered, started)
  await admin.query('ROLLBACK')

  assert.equal(count, 1n)
  for (const error of results) assert.ok(isUnavailable(error))
  await assertServes(storage)
})

test('postgres: a COMMIT without a response is unavailable, and a retry finds the animal', async (t) => {
  const url = await postgres.newDatabase()
  const proxy = await startProxy(t, postgres.server.port)
  const storage = await openStorage(url.replace(`:${postgres.server.port}`, `:${proxy.port}`))
  t.after(() => storage.close())
  await storage.pets.create({ ...rex, name: 'before' })
  const idempotencyKey = { keyId: 'key_a', name: 'once', fingerprint: 'of Rex' }

  proxy.watch = (bytes) => !bytes.includes('commit')
  const started = performance.now()
  await assert.rejects(storage.pets.create(rex, idempotencyKey), isUnavailable)
  assertPassed(answered, started)
  proxy.watch = () => true
  const again = await storage.pets.create(rex, idempotencyKey)

  assert.deepEqual(again, { outcome: 'replayed', pet: { id: 2n, ...rex } })
  assert.equal(await storage.pets.count({}), 2n)
})

test('postgres: a connection lost during a group acknowledges nothing, and the next group succeeds', async (t) => {
  const url = await postgres.newDatabase()
  const proxy = await startProxy(t, postgres.server.port)
  const storage = await openStorage(url.replace(`:${postgres.server.port}`, `:${proxy.port}`))
  t.after(() => storage.close())
  await storage.pets.create(rex)

  proxy.watch = (bytes) => !bytes.includes('commit')
  const writes = Array.from({ length: 50 }, () => storage.pets.create(rex).catch((error: unknown) => error))
  await wait(100)
  proxy.cut()
  proxy.watch = () => true
  const results = await Promise.all(writes)

  for (const error of results) assert.ok(isUnavailable(error))
  await assertServes(storage)
})

test('postgres: a commit that no longer waits for its replica is not acknowledged', async (t) => {
  const { storage, admin } = await postgres.opened(t)
  await storage.pets.create(rex)
  await setSynchronousStandby(admin, 'nobody')
  await wait(200)

  const writing = storage.pets.create(rex).catch((error: unknown) => error)
  await cancelWait(admin)
  const results = await writing
  await setSynchronousStandby(admin, undefined)

  assert.ok(isUnavailable(results), String(results))
  await assertServes(storage)
})

test('postgres: a commit that waits too long for a replica is unavailable and not cancelled', async (t) => {
  const { storage, admin } = await postgres.opened(t)
  await storage.pets.create(rex)
  await setSynchronousStandby(admin, 'nobody')
  await wait(200)

  await assertWithin(answered, assert.rejects(storage.pets.create(rex), isUnavailable))
  const { rows } = await admin.query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
  await setSynchronousStandby(admin, undefined)

  assert.equal(rows.length, 1)
  await assertServes(storage)
})

test('postgres: a primary that comes back as a standby serves nothing until it is the primary again', async (t) => {
  const { storage, admin } = await postgres.opened(t)
  await storage.pets.create(rex)
  await setSynchronousStandby(admin, 'nobody')
  // Until the server has read its settings. The last one is committed there and on no other server, as in a partition.
  while (await storage.pets.create(rex).catch(() => false));
  await postgres.server.kill()
  await postgres.restartAs('standby')

  await assertUnavailable(storage)
  await assertWithin(answered, assert.rejects(storage.events.list(20), isUnavailable))
  await postgres.server.kill()
  await postgres.restartAs('primary')

  const again = await connected(postgres.server.url)
  await setSynchronousStandby(again, undefined)
  await again.end()
  await assertServes(storage)
})

/** From now on commits wait for this replica, or for none. */
async function setSynchronousStandby(admin: Client, name: string | undefined): Promise<void> {
  await admin.query(
    name === undefined
      ? 'ALTER SYSTEM RESET synchronous_standby_names'
      : `ALTER SYSTEM SET synchronous_standby_names = '${name}'`,
  )
  await admin.query('SELECT pg_reload_conf()')
}

/** Cancels a commit that waits for its replica, as an operator in a hurry would. */
async function cancelWait(admin: Client): Promise<void> {
  for (;;) {
    const { rows } = await admin.query(
      "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = current_database()",
    )
    if (rows.length > 0) return
    await wait(10)
  }
}
