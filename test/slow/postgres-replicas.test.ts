import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { ManyFilter } from '../../src/inventory/pets.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { inspectStorage } from '../../src/storage/inspect.ts'
import { openStorage } from '../../src/storage/open.ts'
import { postgres } from '../support/engines.ts'
import { runSql } from '../support/postgres-databases.ts'
import { type PostgresPair, startPair } from '../support/postgres-pair.ts'
import { assertPassed } from '../support/promised-time.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
/** Longer than it takes to look at a replica again, which is about a second. */
const timeoutMs = 60_000

let pair: PostgresPair
let databases = 0
const ends: (() => Promise<void>)[] = []

before(async () => {
  pair = await startPair({ after: (end) => void ends.push(end) })
})
after(async () => {
  for (const end of ends) await end()
})

test('postgres: lists, counts and single animals come from the replica, keys, replays and events from the primary', async (t) => {
  const { storage, reports } = await openWithReplica(t, { maxLagMs: 60_000 })
  await addPets(storage, 1)
  await replicaIsRead(storage, reports)
  const idempotencyKey = { keyId: 'key_a', name: 'once', fingerprint: 'x' }

  await pauseReplay(t)
  const creation = await storage.pets.create({ ...rex, name: 'Mia' }, idempotencyKey)
  await storage.keys.create({ id: 'key_a', name: 'a', permission: 'write', hash: 'hash', createdAt: 0 })

  assert.deepEqual(creation, { outcome: 'created', pet: { id: 2n, ...rex, name: 'Mia' } })
  assert.equal(await storage.pets.find(2n), undefined)
  assert.equal((await storage.pets.list({}, 20, 0n)).items.length, 1)
  assert.equal(await storage.pets.count({}), 1n)
  assert.equal((await storage.pets.create({ ...rex, name: 'Mia' }, idempotencyKey)).outcome, 'replayed')
  assert.equal((await storage.keys.find('hash'))?.id, 'key_a')
  assert.equal((await storage.events.latest()).id, 2n)
})

test('postgres: a bulk change finds its animals on the primary, by filter, by name and by id', async (t) => {
  const { storage, reports } = await openWithReplica(t, { maxLagMs: 60_000 })
  await addPets(storage, 1)
  await replicaIsRead(storage, reports)

  await pauseReplay(t)
  await addPets(storage, 3)
  const filters: ManyFilter[] = [{ ids: [2n] }, { name: 'rex', status: 'available' }, { categoryId: 1n }]
  const changed: number[] = []
  for (const filter of filters) {
    const bulk = await storage.pets.changeMany({ filter, change: { status: 'sold' } })
    assert.ok(bulk.outcome === 'done')
    changed.push(bulk.done.changed)
  }

  assert.equal(await storage.pets.find(2n), undefined)
  assert.deepEqual(changed, [1, 3, 0])
})

test('postgres: a position that a replica lacks is read from the primary', async (t) => {
  const { storage, reports, url } = await openWithReplica(t, { maxLagMs: 60_000 })
  await addPets(storage, 1)
  await replicaIsRead(storage, reports)

  await pauseReplay(t)
  await addPets(storage, 3)
  const other = await openStorage(url)
  t.after(() => other.close())
  await addPets(other, 1)
  const { items } = await other.pets.list({}, 4, 0n)
  const before = await storage.pets.list({ sort: '-id' }, 2, 5n)
  const next = await storage.pets.list({}, 20, items.at(-1)?.id ?? 0n)

  assert.equal((await storage.pets.list({}, 20, 0n)).items.length, 1)
  assert.deepEqual([idsOf(next.items), idsOf(before.items)], [[5n], [4n, 3n]])
})

test('postgres: a stuck replica is read only within the maximum lag, and again after it caught up', async (t) => {
  const { storage, reports, shown } = await openWithReplica(t, { maxLagMs: 8_000 })
  await addPets(storage, 1)
  await replicaIsRead(storage, reports)

  const resume = await pauseReplay(t)
  await addPets(storage, 1)
  const countAtOnce = await storage.pets.count({})
  await until(async () => (await storage.pets.count({})) === 2n)
  await reported(reports, `The replica ${shown} is more than 8 s behind. The primary is read instead.`)
  const { replica } = storage.stats()
  await storage.check()
  await resume()
  await reported(reports, `The replica ${shown} is read again.`)

  assert.equal(countAtOnce, 1n)
  assert.ok(replica?.isRead === false && (replica.lagMs ?? 0) > 8_000)
  assert.ok(storage.stats().replica?.isRead)
})

test('postgres: an inspection refuses a standby', async () => {
  await assert.rejects(inspectStorage(pair.standby.url), { name: 'StorageError', message: /standby/ })
})

test('postgres: a quiet shop does not look like a stuck replica', async (t) => {
  const { storage, reports } = await openWithReplica(t, { maxLagMs: 5_000 })
  await addPets(storage, 1)
  await replicaIsRead(storage, reports)

  await wait(8_000)

  assert.ok(!reports.join().includes('behind'), reports.join())
})

test('postgres: a replica without the migrations fails no request', async (t) => {
  await pauseReplay(t)
  const { storage, reports, shown } = await openWithReplica(t)

  await addPets(storage, 1)

  assert.equal(await storage.pets.count({}), 1n)
  assert.equal((await storage.pets.list({}, 20, 0n)).items.length, 1)
  // The database itself was made after the replay was paused.
  const words = `the server says "database "${new URL(shown).pathname.slice(1)}" does not exist"`
  await reported(reports, `The replica ${shown} cannot be read: ${words}. The primary is read instead.`)
})

test('postgres: a replica with an older schema fails no request', async (t) => {
  const { storage, reports, shown, url } = await openWithReplica(t)
  await addPets(storage, 1)
  await replicaIsRead(storage, reports)

  await runSql(url, 'ALTER TABLE lineages RENAME TO later; UPDATE petstore_migrations SET number = number - 100')
  await pair.caughtUp()
  const resume = await pauseReplay(t)
  await runSql(url, 'ALTER TABLE later RENAME TO lineages; UPDATE petstore_migrations SET number = number + 100')
  await reported(reports, `The replica ${shown} has not replayed the latest migration. The primary is read instead.`)

  assert.equal((await storage.pets.list({}, 20, 0n)).items.length, 1)
  await resume()
  await reported(reports, `The replica ${shown} is read again.`)
})

test('postgres: a replica of another shop is not read', async (t) => {
  const other = await openWithReplica(t)
  await addPets(other.storage, 2)
  await pair.caughtUp()
  const reports: (string | undefined)[] = []
  const report = (...[problem, recovery]: [string | undefined, string?]) => void reports.push(problem ?? recovery)
  const storage = await openStorage(await postgres.url(t), { readUrl: other.readUrl, report })
  t.after(() => storage.close())
  await addPets(storage, 3)

  await reported(
    reports,
    `The replica ${other.shown} has data that the primary does not have. The primary is read instead.`,
  )

  assert.equal(await storage.pets.count({}), 3n)
})

test('postgres: a hung replica fails no request and is read again afterwards', async (t) => {
  const { storage, reports, shown } = await openWithReplica(t)
  await addPets(storage, 1)
  await replicaIsRead(storage, reports)

  const resume = await hangReplica(t)
  const started = performance.now()
  const found = await Promise.all(Array.from({ length: 20 }, () => storage.pets.list({}, 20, 0n)))
  assertPassed(3_000, started)
  await storage.check()
  await reported(reports, `The replica ${shown} does not answer. The primary is read instead.`)
  resume()
  await reported(reports, `The replica ${shown} is read again.`)

  for (const { items } of found) assert.deepEqual(idsOf(items), [1n])
})

test('postgres: a lost replica fails no request and is read again afterwards', async (t) => {
  const { storage, reports, shown } = await openWithReplica(t)
  await addPets(storage, 1)
  await replicaIsRead(storage, reports)

  const reading = new AbortController()
  let reads = 0
  const readers = Array.from({ length: 8 }, async () => {
    for (; !reading.signal.aborted; reads++) {
      assert.equal((await storage.pets.find(1n))?.id, 1n)
      assert.equal((await storage.pets.list({}, 20, 0n)).items.length, 1)
    }
  })
  await pair.standby.kill('SIGKILL')
  const reason = 'cannot be reached: nothing listens at that address'
  await reported(reports, `The replica ${shown} ${reason}. The primary is read instead.`)
  await storage.check()
  await pair.standby.start()
  await reported(reports, `The replica ${shown} is read again.`)
  reading.abort()
  await Promise.all(readers)

  assert.ok(reads > 10, `${reads} reads`)
})

// The last one: there is no way back.
test('postgres: a promoted replica is not read', async (t) => {
  const { storage, reports, shown, readUrl } = await openWithReplica(t)
  await addPets(storage, 1)
  await replicaIsRead(storage, reports)

  await pair.promote()
  await runSql(readUrl, "INSERT INTO pets VALUES (2, 'of another branch', 1, 'sold', 'of another branch')")
  await reported(reports, `The replica ${shown} is a primary. The primary is read instead.`)
  const found = await Promise.all(Array.from({ length: 20 }, () => storage.pets.list({}, 20, 0n)))

  for (const { items } of found) assert.deepEqual(idsOf(items), [1n])
  await storage.check()
})

/** The engine on a database of its own at the primary, and what it reports of the replica. */
async function openWithReplica(t: TestContext, { maxLagMs }: { maxLagMs?: number } = {}) {
  const name = `replicated_${++databases}`
  await runSql(pair.primary.url, `CREATE DATABASE ${name}`)
  const reports: (string | undefined)[] = []
  const readUrl = pair.standby.urlOf(name)
  const url = pair.primary.urlOf(name)
  const storage = await openStorage(url, {
    readUrl,
    maxLagMs,
    report: (problem, recovery) => void reports.push(problem ?? recovery),
  })
  t.after(() => storage.close())
  return { storage, reports, url, readUrl, shown: readUrl }
}

/** Resolves when reads come from the replica, which has all that the primary has. */
async function replicaIsRead({ pets }: Storage, reports: (string | undefined)[]): Promise<void> {
  await pair.caughtUp()
  const reads = async () => {
    await pets.find(1n)
    const busy = await runSql(
      pair.standby.url,
      "SELECT 1 FROM pg_stat_activity WHERE application_name = 'petstore' AND query LIKE '%FROM pets WHERE id = ANY%'",
    )
    return busy.length > 0
  }
  await until(reads)
  reports.length = 0
}

/** From now on the replica shows what it shows now. */
async function pauseReplay(t: TestContext): Promise<() => Promise<void>> {
  const resume = async () => void (await runSql(pair.standby.url, 'SELECT pg_wal_replay_resume()'))
  await runSql(pair.standby.url, 'SELECT pg_wal_replay_pause()')
  t.after(resume)
  const state = () => runSql(pair.standby.url, 'SELECT pg_get_wal_replay_pause_state()')
  await until(async () => (await state())[0]?.[0] === 'paused')
  return resume
}

/** Stops every process of the replica where it is, as a machine that stands still would. */
async function hangReplica(t: TestContext): Promise<() => void> {
  const rows = await runSql(pair.standby.url, 'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
  const pids = [pair.standby.child.pid as number, ...rows.map(([pid]) => pid as number)]
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  const resume = () => {
    for (const pid of pids.splice(0)) process.kill(pid, 'SIGCONT')
  }
  t.after(resume)
  return resume
}

async function addPets({ pets }: Storage, count: number): Promise<void> {
  for (let added = 0; added < count; added++) assert.equal((await pets.create(rex)).outcome, 'created')
}

/** Resolves when this was reported, and lets what was reported until then be. */
async function reported(reports: (string | undefined)[], sentence: string): Promise<void> {
  await until(async () => reports.includes(sentence))
  reports.length = 0
}

function idsOf(pets: readonly { id: bigint }[]): bigint[] {
  return pets.map(({ id }) => id)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, 'it did not come to that in time')
    await wait(50)
  }
}
