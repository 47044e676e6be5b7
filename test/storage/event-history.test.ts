import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { EventSubject } from '../../src/inventory/events.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { subjectPages } from '../../src/storage/postgres/ports/events.ts'
import { type Engine, engines, postgres, sqlite } from '../support/engines.ts'
import { runAll, runSql } from '../support/postgres-databases.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const

/** Animal 2 is ordered twice, by the orders 1 and 2; its events are 2, 4 to 9 and 11. Animal 1 has the events 1 and 10. */
async function openShop(t: TestContext, engine: Engine): Promise<Storage> {
  const storage = await engine.open(t)
  const { orders, pets } = storage
  for (let added = 0; added < 3; added++) await pets.create(rex)
  await orders.place({ petId: 2n })
  await orders.update(1n, { status: 'cancelled' })
  await orders.place({ petId: 2n })
  await pets.update(1n, { name: 'Max' })
  await pets.update(2n, { name: 'Tom' })
  return storage
}

for (const engine of engines) {
  test(`${engine.name}: the history of an animal includes its orders, and nothing of an order with the same id`, async (t) => {
    const { events } = await openShop(t, engine)

    assert.deepEqual(await idsOf(events.list(20, undefined, undefined, { petId: 1n })), [1, 10])
    assert.deepEqual(await idsOf(events.list(20, undefined, undefined, { petId: 2n })), [2, 4, 5, 6, 7, 8, 9, 11])
    assert.deepEqual(await idsOf(events.list(20, undefined, undefined, { petId: 9n })), [])
  })

  test(`${engine.name}: the history of an order has its own events only`, async (t) => {
    const { events } = await openShop(t, engine)

    assert.deepEqual(await idsOf(events.list(20, undefined, undefined, { orderId: 1n })), [5, 7])
    assert.deepEqual(await idsOf(events.list(20, undefined, undefined, { orderId: 2n })), [9])
    assert.deepEqual(await idsOf(events.list(20, undefined, undefined, { orderId: 3n })), [])
  })

  for (const limit of [1, 3, 8]) {
    test(`${engine.name}: a history can be read page by page in both directions: ${limit} at a time`, async (t) => {
      const storage = await openShop(t, engine)

      assert.deepEqual(await readAll(storage, 'list', limit, { petId: 2n }), [2, 4, 5, 6, 7, 8, 9, 11])
      assert.deepEqual(await readAll(storage, 'listBackwards', limit, { petId: 2n }), [11, 9, 8, 7, 6, 5, 4, 2])
      assert.deepEqual(await readAll(storage, 'listBackwards', limit, { orderId: 1n }), [7, 5])
    })
  }

  test(`${engine.name}: a history says that events were missed exactly when the list of all does`, async (t) => {
    let now = 0
    const { events, pets } = await engine.open(t, () => now++)
    for (let added = 0; added < 4; added++) await pets.create(rex)
    await pets.update(1n, { name: 'Max' })
    await events.forget(2)

    for (const after of [0n, 1n, 2n, 3n, 5n]) {
      const { missed } = await events.list(20, after)
      const lineage = await events.list(20, after, undefined, { petId: 1n })
      assert.equal(lineage.missed, missed, `after ${after}`)
    }
    assert.deepEqual(await idsOf(events.listBackwards(20, undefined, undefined, { petId: 1n })), [5])
  })

  test(`${engine.name}: the history of an animal outlives it`, async (t) => {
    const { events, pets } = await engine.open(t)
    await pets.create(rex)
    await pets.remove(1n)

    assert.deepEqual(await idsOf(events.list(20, undefined, undefined, { petId: 1n })), [1, 2])
  })
}

test('sqlite: a history is read by its index', async (t) => {
  const url = await sqlite.url(t)
  await (await openStorage(url)).close()
  const db = new DatabaseSync(url.replace('sqlite:', ''))
  t.after(() => db.close())
  const plan = (where: string) =>
    (db.prepare(`EXPLAIN QUERY PLAN SELECT data FROM events WHERE ${where}`).get() as { detail: string }).detail

  assert.match(plan('pet_id = 1 AND id < 9 ORDER BY id DESC'), /events_by_pet \(pet_id=\? AND rowid<\?\)/)
  assert.match(
    plan("type GLOB 'order.*' AND subject = 1 AND id > 9 ORDER BY id"),
    /events_by_order \(subject=\? AND rowid>\?\)/,
  )
})

test('postgres: a history is read by its index, also of an animal with few events among many', async (t) => {
  const url = await postgres.url(t)
  await (await openStorage(url)).close()
  await runSql(
    url,
    `INSERT INTO events (id, type, subject, at, data)
       SELECT n, CASE n % 2 WHEN 0 THEN 'pet.updated' ELSE 'order.placed' END, 1, 0, '{"petId":1}'
         FROM generate_series(1, 20000) AS n;
     ANALYZE events`,
  )

  for (const { name, text } of subjectPages) {
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      const [, , plan] = await runAll(url, [
        `SET plan_cache_mode = ${mode}`,
        `PREPARE question (int8, int8, int8) AS ${text}`,
        'EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE question (7, 9000, 21)',
      ])
      const plans = (plan ?? []).join('\n')

      assert.match(plans, /using events_by_(pet|order) on events/, `${name}, ${mode}`)
      assert.doesNotMatch(plans, /Seq Scan|Rows Removed/, `${name}, ${mode}: ${plans}`)
    }
  }
})

async function idsOf(page: ReturnType<Storage['events']['list']>): Promise<number[]> {
  return (await page).items.map(({ id }) => Number(id))
}

/** All events of a subject, page by page, in the direction of the method. */
async function readAll(
  { events }: Storage,
  method: 'list' | 'listBackwards',
  limit: number,
  subject: EventSubject,
): Promise<number[]> {
  const ids: number[] = []
  let after: bigint | undefined
  let lineage: string | undefined
  for (;;) {
    const page = await events[method](limit, after, lineage, subject)
    ids.push(...page.items.map(({ id }) => Number(id)))
    if (!page.more) return ids
    after = page.items.at(-1)?.id
    lineage = page.lineage
  }
}
