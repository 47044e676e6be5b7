import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { PetStoreError } from '../../src/inventory/errors.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { StorageError } from '../../src/storage/shared/errors.ts'
import { openStorage } from '../../src/storage/open.ts'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { startProxy } from '../support/proxy.ts'
import { assertPassed, assertWithin } from '../support/promised-time.ts'
import { until } from '../support/until.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
const connectionLimit = 20
/**
 * By when a request is answered, whatever the database does, and by when all is well after its return. In milliseconds.
 */
const answered = 3_000
const recovered = 5_000

let server: PostgresServer
let databases = 0

before(async () => {
  server = await startPostgres({
    durable: true,
    settings: { max_connections: connectionLimit, superuser_reserved_connections: 1 },
  })
})
after(() => server.stop())

for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
  test(`postgres: requests are unavailable while the server is down after ${signal}, and served afterwards`, async (t) => {
    const { storage } = await opened(t)
    await storage.pets.create(rex)
    const orphans = signal === 'SIGKILL' ? await backends() : []

    await server.kill(signal)
    // Those it had started would go on serving until they notice.
    for (const pid of orphans) killIfThere(pid)
    await wait(100)
    await assertUnavailable(storage)
    await server.start()

    await assertServes(storage)
  })
}

test('postgres: repeated kills under load lose no acknowledged write', async (t) => {
  const { storage } = await opened(t)
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
    await server.kill('SIGKILL')
    await server.start()
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
  const { storage } = await opened(t)
  await storage.pets.create(rex)

  await server.kill()
  await server.start()

  assert.equal(await storage.pets.count({}), 1n)
  assert.equal((await storage.pets.create(rex)).outcome, 'created')
})

test('postgres: requests are unavailable in time while the server hangs, and served afterwards', async (t) => {
  const { storage } = await opened(t)
  await storage.pets.create(rex)
  await busy(storage)

  const held = await hang(t)
  await assertUnavailable(storage)
  await assertUnavailable(storage)
  held.resume()

  await assertServes(storage)
})

test('postgres: the number of requests that wait for a hung server is limited', async (t) => {
  const { storage } = await opened(t)
  await storage.pets.create(rex)
  const held = await hang(t)

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
  const { storage } = await opened(t)
  const { send, create, failures } = await startApp(t, { storage })
  await create({ name: 'Rex', categoryId: 1 })
  await wait(1_000) // The key has to be looked up again.

  const held = await hang(t)
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

test('postgres: connections ended by the server are reopened, and no request fails', async (t) => {
  const { storage, admin } = await opened(t)
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
  const { storage, url, admin } = await opened(t)
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
  const { storage, url } = await opened(t)
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

test('postgres: a write blocked by another program is unavailable in time, reads continue', async (t) => {
  const { storage, admin } = await opened(t)
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
  const url = await newDatabase()
  const proxy = await startProxy(t, server.port)
  const storage = await openStorage(url.replace(`:${server.port}`, `:${proxy.port}`))
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
  const url = await newDatabase()
  const proxy = await startProxy(t, server.port)
  const storage = await openStorage(url.replace(`:${server.port}`, `:${proxy.port}`))
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
  const { storage, admin } = await opened(t)
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
  const { storage, admin } = await opened(t)
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
  const { storage, admin } = await opened(t)
  await storage.pets.create(rex)
  await setSynchronousStandby(admin, 'nobody')
  // Until the server has read its settings. The last one is committed there and on no other server, as in a partition.
  while (await storage.pets.create(rex).catch(() => false));
  await server.kill()
  await restartAs('standby')

  await assertUnavailable(storage)
  await assertWithin(answered, assert.rejects(storage.events.list(20), isUnavailable))
  await server.kill()
  await restartAs('primary')

  const again = await connected(server.url)
  await setSynchronousStandby(again, undefined)
  await again.end()
  await assertServes(storage)
})

test('postgres: a start with the address of a standby fails with a sentence', async () => {
  const url = await newDatabase()
  await server.kill()
  await restartAs('standby')

  await assert.rejects(openStorage(url), {
    name: 'StorageError',
    message: /is a standby: use the address of the primary/,
  })

  await server.kill()
  await restartAs('primary')
})

test('postgres: check reports within three seconds whether requests can be served', async (t) => {
  const { storage } = await opened(t)
  await storage.check()

  const held = await hang(t)
  await assertWithin(answered, assert.rejects(storage.check(), isUnavailable))
  held.resume()

  await eventually(() => storage.check())
})

for (const [what, url, sentence] of [
  ['no server', 'postgres://rex:secret@127.0.0.1:1/petstore', /cannot be reached/],
  ['no host', 'postgres://rex:secret@host.invalid/petstore', /cannot be reached/],
  ['an unknown pooler', 'postgres://rex:secret@127.0.0.1/petstore?pooler=session', /must be none or transaction/],
] as const) {
  test(`postgres: a start with ${what} fails with a sentence without the password`, async () => {
    await assert.rejects(openStorage(url), (error) => {
      assert.ok(error instanceof StorageError, String(error))
      assert.match(error.message, sentence)
      assert.doesNotMatch(error.message, /secret|\n/)
      return true
    })
  })
}

test('postgres: a start without the database says how to create it', async () => {
  await assert.rejects(openStorage(server.urlOf('nowhere')), { name: 'StorageError', message: /CREATE DATABASE/ })
})

async function restartAs(role: 'standby' | 'primary'): Promise<void> {
  const signal = join(server.data, 'standby.signal')
  if (role === 'standby') writeFileSync(signal, '')
  else rmSync(signal)
  await server.start()
}

/** From now on commits wait for this replica, or for none. */
async function setSynchronousStandby(admin: Client, name: string | undefined): Promise<void> {
  await admin.query(
    name === undefined
      ? 'ALTER SYSTEM RESET synchronous_standby_names'
      : `ALTER SYSTEM SET synchronous_standby_names = '${name}'`,
  )
  await admin.query('SELECT pg_reload_conf()')
}

async function newDatabase(): Promise<string> {
  const name = `faults_${++databases}`
  const client = await connected(server.url)
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return server.urlOf(name)
}

/** The engine on a database of its own, and a connection that plays another program. */
async function opened(t: TestContext): Promise<{ storage: Storage; url: string; admin: Client }> {
  const url = await newDatabase()
  const storage = await openStorage(url)
  const admin = await connected(url)
  t.after(async () => {
    await storage.close()
    await admin.end().catch(() => undefined)
  })
  return { storage, url, admin }
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Uses all connections that the storage may have. */
async function busy({ pets }: Storage): Promise<void> {
  for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 50 }, () => pets.find(1n)))
}

/** Stops every process of the server where it is, as a machine that stands still would. */
async function hang(t: TestContext): Promise<{ resume(): void }> {
  const pids = [server.child.pid as number, ...(await backends())]
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  const resume = () => {
    for (const pid of pids.splice(0)) process.kill(pid, 'SIGCONT')
  }
  t.after(resume)
  return { resume }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH')
  }
}

async function backends(): Promise<number[]> {
  const client = await connected(server.url)
  const { rows } = await client.query('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
  await client.end()
  return (rows as { pid: number }[]).map(({ pid }) => pid)
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

async function assertUnavailable({ pets, keys, check }: Storage): Promise<void> {
  const requests = [
    pets.list({}, 20, 0n),
    pets.find(1n),
    pets.count({}),
    pets.create(rex),
    pets.create(rex, { keyId: 'key_a', name: 'once', fingerprint: 'x' }),
    keys.find('hash'),
    keys.list(),
    check(),
  ]
  await assertWithin(answered, Promise.all(requests.map((request) => assert.rejects(request, isUnavailable))))
}

/** All is well within the time that a recovery may take, and nothing was lost. */
async function assertServes(storage: Storage): Promise<void> {
  await assertWithin(
    recovered,
    eventually(async () => {
      await storage.check()
      const creation = await storage.pets.create(rex)
      assert.ok('pet' in creation)
      assert.deepEqual(await storage.pets.find(creation.pet.id), creation.pet)
    }),
  )
  const { items } = await storage.pets.list({}, 1_000, 0n)
  assert.deepEqual(
    items.map(({ id }) => id),
    items.map((_pet, index) => BigInt(index + 1)),
  )
  assert.equal(await storage.pets.count({}), BigInt(items.length))
}

async function eventually(work: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + 2 * recovered
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > deadline) throw error
      await wait(50)
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof PetStoreError && error.code === 'unavailable'
}
