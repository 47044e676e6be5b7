import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import type { Storage } from '../../src/inventory/storage.ts'
import { StorageError } from '../../src/storage/shared/errors.ts'
import { openStorage } from '../../src/storage/open.ts'
import { startApp } from '../support/app.ts'
import {
  answered,
  assertServes,
  assertUnavailable,
  breakablePostgres,
  connected,
  eventually,
  isUnavailable,
  recovered,
  rex,
} from '../support/breakable-postgres.ts'
import { assertError } from '../support/error.ts'
import { assertPassed, assertWithin } from '../support/promised-time.ts'
import { until } from '../support/until.ts'

const postgres = breakablePostgres()

for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
  test(`postgres: requests are unavailable while the server is down after ${signal}, and served afterwards`, async (t) => {
    const { storage } = await postgres.opened(t)
    await storage.pets.create(rex)
    const orphans = signal === 'SIGKILL' ? await postgres.backends() : []

    await postgres.server.kill(signal)
    // Those it had started would go on serving until they notice.
    for (const pid of orphans) killIfThere(pid)
    await wait(100)
    await assertUnavailable(storage)
    await postgres.server.start()

    await assertServes(storage)
  })
}

test('postgres: repeated kills under load lose no acknowledged write', async (t) => {
  const { storage } = await postgres.opened(t)
  const acknowledged = new Map<string, bigint>()
  const load = new AbortController()
  const clients = Array.from({ length: 16 }, async (_none, client) => {
    for (let count = 0; !load.signal.aborted; count++) {
      const name = `pet ${client} ${count}`
      const idempotencyKey = { keyId: 'key_a', name, fingerprint: name }
      for (let known = false; !known; ) {
        const creation = await storage.pets.create({ ...rex, name }, idempotencyKey).catch(() => wait(20))
        known = creation !== undefined && 'pet' in creation
        if (creation !== undefined && 'pet' in creation) acknowledged.set(name, creation.pet.id)
      }
    }
  })

  const moreAcknowledged = () => {
    const before = acknowledged.size
    return until(() => acknowledged.size > before + 30, 60_000)
  }
  for (let kills = 0; kills < 3; kills++) {
    await moreAcknowledged()
    await postgres.server.kill('SIGKILL')
    await postgres.server.start()
  }
  await moreAcknowledged()
  load.abort()
  await Promise.all(clients)

  const found = new Map<string, bigint>()
  for (let after = 0n, more = true; more; ) {
    const page = await storage.pets.list({}, 1_000, after)
    for (const { id, name } of page.items) {
      assert.ok(!found.has(name), `${name} is there twice`)
      found.set(name, id)
      after = id
    }
    more = page.more
  }
  assert.ok(acknowledged.size > 100, `only ${acknowledged.size} were acknowledged`)
  assert.deepEqual(found, acknowledged)
})

test('postgres: a restart between two requests fails none', async (t) => {
  const { storage } = await postgres.opened(t)
  await storage.pets.create(rex)

  await postgres.server.kill()
  await postgres.server.start()

  assert.equal(await storage.pets.count({}), 1n)
  assert.equal((await storage.pets.create(rex)).outcome, 'created')
})

test('postgres: requests are unavailable in time while the server hangs, and served afterwards', async (t) => {
  const { storage } = await postgres.opened(t)
  await storage.pets.create(rex)
  await busy(storage)

  const held = await postgres.hang(t)
  await assertUnavailable(storage)
  await assertUnavailable(storage)
  held.resume()

  await assertServes(storage)
})

test('postgres: the number of requests that wait for a hung server is limited', async (t) => {
  const { storage } = await postgres.opened(t)
  await storage.pets.create(rex)
  const held = await postgres.hang(t)

  const started = performance.now()
  const reads = Array.from({ length: 5_000 }, () =>
    storage.pets.find(1n).then(
      () => assert.fail('it was read'),
      (error: Error) => ({ message: error.message, took: performance.now() - started }),
    ),
  )
  const results = await Promise.all(reads)
  held.resume()

  const refused = results.filter(({ message }) => /Too many/.test(message))
  assert.equal(refused.length, 3_000)
  const waited = results.filter(({ message }) => !/Too many/.test(message))
  const soonest = Math.min(...waited.map(({ took }) => took))
  assert.ok(refused.every(({ took }) => took < soonest))
  await assertServes(storage)
})

test('postgres: a hung server gives 503 with Retry-After in time, in /readyz too', async (t) => {
  const { storage } = await postgres.opened(t)
  const { send, create, failures } = await startApp(t, { storage })
  await create({ name: 'Rex', categoryId: 1 })
  await wait(1_000) // The key has to be looked up again.

  const held = await postgres.hang(t)
  const started = performance.now()
  const answers = await Promise.all([
    send('/v1/pets'),
    send('/v1/pets/1'),
    send('/v1/pets?status=sold', { headers: { prefer: 'count=exact' } }),
    create({ name: 'Tom', categoryId: 1 }),
    send('/readyz'),
  ])
  assertPassed(answered, started)
  held.resume()

  for (const answer of answers) {
    assertError(answer, 'unavailable')
    assert.equal(answer.headers.get('retry-after'), '1')
    assert.doesNotMatch(answer.text, /postgres|connection|127\.0/i)
  }
  assert.ok(failures.length > 0)
  await assertWithin(
    recovered,
    eventually(async () => assert.equal((await send('/v1/pets')).status, 200)),
  )
})

test('postgres: check reports within three seconds whether requests can be served', async (t) => {
  const { storage } = await postgres.opened(t)
  await storage.check()

  const held = await postgres.hang(t)
  await assertWithin(answered, assert.rejects(storage.check(), isUnavailable))
  held.resume()

  await eventually(() => storage.check())
})

test('postgres: connections ended by the server are reopened, and no request fails', async (t) => {
  const { storage, admin } = await postgres.opened(t)
  await storage.pets.create(rex)
  await busy(storage)

  await admin.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  await wait(50)

  assert.equal(await storage.pets.count({}), 1n)
  assert.equal((await storage.pets.create(rex)).outcome, 'created')
})

test('postgres: without a free connection requests are unavailable at once', async (t) => {
  const { storage, url, admin } = await postgres.opened(t)
  await storage.pets.create(rex)
  const others: Client[] = []
  await admin.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  await wait(50)

  await admin.query('CREATE ROLE visitor LOGIN')
  const asVisitor = url.replace('postgres@', 'visitor@')
  for (let connected = true; connected; ) {
    const other = new Client({ connectionString: asVisitor })
    other.on('error', () => undefined)
    connected = await other.connect().then(
      () => others.push(other) > 0,
      () => false,
    )
  }
  others.push(await connected(url))
  await assertUnavailable(storage)
  await assert.rejects(
    openStorage(url),
    (error) => error instanceof StorageError && /no connection/.test(error.message),
  )
  await Promise.all(others.map((other) => other.end()))

  await assertServes(storage)
})

test('postgres: requests are served while no further connection is available', async (t) => {
  const { storage, url } = await postgres.opened(t)
  await storage.pets.create(rex)
  await storage.pets.find(1n)
  const others: Client[] = []
  for (let left = true; left; )
    left = await connected(url).then(
      (other) => others.push(other) > 0,
      () => false,
    ) // prettier-ignore

  const found = await Promise.all(Array.from({ length: 200 }, () => storage.pets.find(1n)))
  const creation = await storage.pets.create(rex)
  await Promise.all(others.map((other) => other.end()))

  assert.ok(found.every((pet) => pet?.id === 1n))
  assert.equal(creation.outcome, 'created')
})

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH')
  }
}

/** Uses all connections that the storage may have. */
async function busy({ pets }: Storage): Promise<void> {
  for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 50 }, () => pets.find(1n)))
}
