import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { encodePosition, type Position } from '../../../src/contract/position.ts'
import type { Storage } from '../../../src/inventory/storage.ts'
import { copyStorage } from '../../../src/storage/copy/copy.ts'
import { openStorage } from '../../../src/storage/open.ts'
import { type Engine, postgres, sqlite } from '../../support/engines.ts'
import { newPostgresDatabase, runSql } from '../../support/postgres-databases.ts'
import { startPair } from '../../support/postgres-pair.ts'
import { untilAvailable } from '../../support/until.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const

/** Where a client is in the lists of a shop: behind the last but one of each. */
interface Positions {
  pet: bigint
  order: bigint
  event: Position
}

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: a position is valid after a restart`, async (t) => {
    const url = await engine.url(t)
    const positions = await using(url, async (storage) => {
      await addPets(storage, 3)
      return positionsIn(storage)
    })

    await using(url, async (storage) => {
      await assertStillValid(storage, positions)
      await addPets(storage, 2)
      await assertStillValid(storage, positions)
    })
  })

  test(`${engine.name}: an event position after a restored backup is gone, even if its id is assigned again; lists go on`, async (t) => {
    const url = await ownUrl(t, engine)
    const kept = await using(url, async (storage) => {
      await addPets(storage, 3)
      return positionsIn(storage)
    })
    const backup = await copyOf(t, engine, url)
    const lost = await using(url, async (storage) => {
      await addPets(storage, 3)
      return positionsIn(storage)
    })

    await using(backup, async (storage) => {
      await assertGone(storage, lost)
      await assertStillValid(storage, kept)
      await addPets(storage, 6)
      await assertGone(storage, lost)
      await assertStillValid(storage, kept)
      await assertStillValid(storage, await positionsIn(storage))
    })
    await using(url, (storage) => assertStillValid(storage, lost))
  })

  test(`${engine.name}: an event keeps its id after restarts; after a restored backup no other event gets it`, async (t) => {
    const url = await ownUrl(t, engine)
    const addAndList = async (storage: Storage) => {
      await addPets(storage, 2)
      return idsIn(storage)
    }
    const first = await using(url, addAndList)
    const backup = await copyOf(t, engine, url)

    const lost = await using(url, addAndList)
    const other = await using(backup, addAndList)
    const again = await using(backup, addAndList)

    assert.deepEqual(lost.slice(0, first.length), first)
    assert.deepEqual(other.slice(0, first.length), first)
    assert.deepEqual(again.slice(0, other.length), other)
    assert.equal(new Set([...lost, ...again]).size, lost.length + again.length - first.length)
    await using(backup, async (storage) => {
      const backwards = (await storage.events.listBackwards(100)).items.map(encodePosition)
      assert.deepEqual(backwards.toReversed(), again)
      const { length } = (await storage.events.list(100, 3n, again[2]?.split('-')[1])).items
      assert.equal(length, again.length - 3)
    })
  })

  test(`${engine.name}: an event position of another shop is gone`, async (t) => {
    const other = await using(await engine.url(t), async (storage) => {
      await addPets(storage, 3)
      return positionsIn(storage)
    })

    await using(await engine.url(t), async (storage) => {
      await addPets(storage, 5)
      await assertGone(storage, other)
    })
  })

  test(`${engine.name}: a position of one instance is valid at another, while both write`, async (t) => {
    const url = await engine.url(t)
    const [one, other] = await Promise.all([openStorage(url), openStorage(url)])
    t.after(() => Promise.all([one.close(), other.close()]))

    for (let round = 0; round < 5; round++) {
      await addPets(one, 2)
      await assertStillValid(other, await positionsIn(one))
      await addPets(other, 2)
      await assertStillValid(one, await positionsIn(other))
    }
  })

  test(`${engine.name}: positions stay valid after a copy`, async (t) => {
    const url = await engine.url(t)
    const positions = await using(url, async (storage) => {
      await addPets(storage, 3)
      return positionsIn(storage)
    })
    const target = engine === sqlite ? await postgres.url(t) : await sqlite.url(t)

    await copyStorage(url, target, () => undefined)

    await using(target, async (storage) => {
      await assertStillValid(storage, positions)
      await addPets(storage, 3)
      await assertStillValid(storage, positions)
    })
  })

  test(`${engine.name}: lineages are deleted a year after their end, when they have no events left`, async (t) => {
    const url = await engine.url(t)
    for (let start = 0; start < 4; start++) await using(url, (storage) => addPets(storage, 1))
    const [first = '', second = '', third = '', fourth = ''] = await lineagesIn(url)
    // The second has ended two years ago, the third has not.
    await change(url, `UPDATE lineages SET began_at = began_at - 2 * 31536000000 WHERE id IN ('${second}', '${third}')`)

    await using(url, (storage) => addPets(storage, 1))
    const withEvents = await lineagesIn(url)
    await change(url, 'DELETE FROM events')
    await using(url, (storage) => addPets(storage, 1))
    const withoutEvents = await lineagesIn(url)

    assert.deepEqual(withEvents.slice(0, 4), [first, second, third, fourth])
    assert.deepEqual(withoutEvents.slice(0, 2), [third, fourth])
    assert.deepEqual([withEvents.length, withoutEvents.length], [5, 4])
  })
}

test('postgres: after a failover a position that the new primary lacks is gone, without a restart', async (t) => {
  const pair = await startPair(t)
  const hosts = [pair.primary, pair.standby].map(({ port }) => `127.0.0.1:${port}`)
  const storage = await openStorage(`postgres://postgres@${hosts.join(',')}/postgres`)
  t.after(() => storage.close())
  await addPets(storage, 3)
  await pair.caughtUp()
  const kept = await positionsIn(storage)
  await pair.standby.kill()
  await addPets(storage, 3)
  const lost = await positionsIn(storage)

  await pair.primary.kill()
  await pair.standby.start()
  await pair.promote()

  await untilAvailable(() => storage.check())
  await assertGone(storage, lost)
  await assertStillValid(storage, kept)
  await addPets(storage, 6)
  await assertGone(storage, lost)
  await assertStillValid(storage, kept)
  await assertStillValid(storage, await positionsIn(storage))
})

test('postgres: a position that a replica lacks is read from the primary; an unknown event position is gone', async (t) => {
  const { primary, standby, caughtUp } = await startPair(t)
  const storage = await openStorage(primary.url)
  t.after(() => storage.close())
  await addPets(storage, 3)
  await caughtUp()
  const late = await openStorage(primary.url, { readUrl: standby.url, maxLagMs: 3_600_000 })
  t.after(() => late.close())
  // Before the pause: a replica that has replayed nothing since the first look at it is never read.
  while (late.stats().replica?.isRead !== true) await wait(20)
  await runSql(standby.url, 'SELECT pg_wal_replay_pause()')
  await addPets(storage, 3)

  // A replica that is slow to respond is not read.
  while ((await late.pets.count({})) !== 3n) await wait(20)
  const positions = await positionsIn(storage)
  await assertStillValid(late, positions)
  // Descending pages that the replica would begin too late.
  const before = { sort: '-id' } as const
  assert.equal((await late.pets.list(before, 1, positions.pet)).items[0]?.id, positions.pet - 1n)
  assert.equal((await late.orders.list(before, 1, positions.order)).items[0]?.id, positions.order - 1n)
  assert.equal((await late.events.list(1, 1n, 'nowhere8')).missed, true)
})

test('postgres: an import that assigns the first id after a start begins a lineage', async (t) => {
  const url = await ownUrl(t, postgres)
  const lost = await using(url, async (storage) => {
    await addPets(storage, 3)
    return positionsIn(storage)
  })
  const backup = await copyOf(t, postgres, url)
  await using(url, (storage) => addPets(storage, 3))
  const beyond = { ...lost.event, id: lost.event.id + 3n }

  await using(backup, async (storage) => {
    await storage.imports.add(Array.from({ length: 9 }, () => rex))

    assert.equal((await storage.events.list(1, beyond.id, beyond.lineage)).missed, true)
  })
})

async function using<Result>(url: string, work: (storage: Storage) => Promise<Result>): Promise<Result> {
  const storage = await openStorage(url)
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/** The ids of all events, as clients see them. */
async function idsIn({ events }: Storage): Promise<string[]> {
  return (await events.list(100)).items.map(encodePosition)
}

/** Adds animals and an order for each. */
async function addPets({ pets, orders }: Storage, count: number): Promise<void> {
  for (let added = 0; added < count; added++) {
    const creation = await pets.create(rex)
    assert.ok('pet' in creation)
    assert.equal((await orders.place({ petId: creation.pet.id })).outcome, 'placed')
  }
}

async function positionsIn({ pets, orders, events }: Storage): Promise<Positions> {
  const latest = await events.latest()
  const total = Number(await pets.count({}))
  const ofPets = await pets.list({}, total - 1, 0n)
  const ofOrders = await orders.list({}, total - 1, 0n)
  const ofEvents = await events.list(Number(latest.id) - 1)
  assert.ok(latest.lineage !== undefined && ofPets.more && ofOrders.more && ofEvents.more)
  return {
    pet: ofPets.items.at(-1)?.id ?? 0n,
    order: ofOrders.items.at(-1)?.id ?? 0n,
    event: { id: ofEvents.items.at(-1)?.id ?? 0n, lineage: ofEvents.lineage },
  }
}

async function assertStillValid({ pets, orders, events }: Storage, { pet, order, event }: Positions): Promise<void> {
  assert.equal((await pets.list({}, 1, pet)).items[0]?.id, pet + 1n)
  assert.equal((await orders.list({}, 1, order)).items[0]?.id, order + 1n)
  const page = await events.list(1, event.id, event.lineage)
  assert.deepEqual([page.items[0]?.id, page.missed], [event.id + 1n, false])
}

/** The events are gone; the lists go on from their ids. */
async function assertGone({ pets, orders, events }: Storage, { pet, order, event }: Positions): Promise<void> {
  const next = (id: bigint, last: bigint) => (id < last ? [id + 1n] : [])
  const ids = (items: readonly { id: bigint }[]) => items.map(({ id }) => id)
  const lastPet = (await pets.list({ sort: '-id' }, 1, 0n)).items[0]?.id ?? 0n
  const lastOrder = (await orders.list({ sort: '-id' }, 1, 0n)).items[0]?.id ?? 0n
  assert.deepEqual(ids((await pets.list({}, 1, pet)).items), next(pet, lastPet))
  assert.deepEqual(ids((await orders.list({}, 1, order)).items), next(order, lastOrder))
  assert.deepEqual(await events.list(1, event.id, event.lineage), { items: [], more: false, missed: true })
}

/** A database that nobody but the test has open. */
function ownUrl(t: TestContext, engine: Engine): Promise<string> {
  return engine === postgres ? newPostgresDatabase() : engine.url(t)
}

/** The database as it is now, somewhere else, as a backup that is restored. Nobody has it open. */
async function copyOf(t: TestContext, engine: Engine, url: string): Promise<string> {
  if (engine === sqlite) {
    const copy = await sqlite.url(t)
    copyFileSync(url.slice('sqlite:'.length), copy.slice('sqlite:'.length))
    return copy
  }
  const copy = await newPostgresDatabase()
  const [from, to] = [url, copy].map((each) => new URL(each).pathname.slice(1))
  const admin = new URL(url)
  admin.pathname = '/postgres'
  await runSql(admin.href, `DROP DATABASE ${to}`)
  await runSql(admin.href, `CREATE DATABASE ${to} TEMPLATE ${from}`)
  return copy
}

async function lineagesIn(url: string): Promise<string[]> {
  const rows = await change(url, 'SELECT id FROM lineages ORDER BY number')
  return rows.map(([id]) => String(id))
}

async function change(url: string, sql: string): Promise<unknown[][]> {
  if (!url.startsWith('sqlite:')) return runSql(url, sql)
  const db = new DatabaseSync(url.slice('sqlite:'.length))
  try {
    const statement = db.prepare(sql)
    statement.setReturnArrays(true)
    return statement.all() as unknown as unknown[][]
  } finally {
    db.close()
  }
}
