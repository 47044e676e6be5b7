import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { maxOrdersSearched, type Order } from '../../src/contract/order.ts'
import type { Caller } from '../../src/inventory/caller.ts'
import type { Orders } from '../../src/inventory/orders.ts'
import { openStorage } from '../../src/storage/open.ts'
import { connect } from '../../src/storage/sqlite/connection/database.ts'
import { proposals } from '../../src/storage/postgres/reads/order-proposals.ts'
import { setSql } from '../../src/storage/postgres/connection/settings.ts'
import { readerSettings } from '../../src/storage/postgres/reads/readers.ts'
import { type ProposalWords, type ProposedRow, withOrderSearch } from '../../src/storage/shared/reads/find-orders.ts'
import { resourceRows } from '../../src/storage/shared/rows/resource-rows.ts'
import { proposalSql, sqliteOrderProposals } from '../../src/storage/sqlite/reads/order-proposals.ts'
import { sharedSnapshot } from '../../src/storage/sqlite/reads/shared-snapshot.ts'
import { engines, postgres, sqlite } from '../support/engines.ts'
import { runAll, runSql } from '../support/postgres-databases.ts'

// A shop in memory holds no state, so nobody waits there.
for (const engine of [sqlite, postgres]) {
  for (const query of [{ petName: 'zed' }, { customer: 'zed' }]) {
    const [text = ''] = Object.keys(query)

    test(`${engine.name}: searches by ${text} of one caller do not hold up those of another`, async (t) => {
      const { orders } = await engine.open(t)
      const [crowd, other] = [callerNamed('key_a'), callerNamed('key_b')]
      let before = 0
      const searches = Array.from({ length: 60 }, () => orders.list(query, 20, 0n, crowd).then(() => before++))

      await orders.list(query, 20, 0n, other)

      assert.ok(before < 30, `${before} of the other caller came first`)
      await Promise.all(searches)
    })

    test(`${engine.name}: searches by ${text} end when their caller has left`, async (t) => {
      const { orders } = await engine.open(t)
      const leaving = new AbortController()
      const caller = { ...callerNamed('key_a'), signal: leaving.signal }
      const searches = Array.from({ length: 60 }, () => orders.list(query, 20, 0n, caller))

      leaving.abort()

      const ended = (await Promise.allSettled(searches)).filter(({ status }) => status === 'rejected')
      assert.ok(ended.length > 30, `${ended.length} have ended`)
    })
  }
}

for (const engine of engines) {
  test(`${engine.name}: orders are found by the words of their customers, in each direction and with filters`, async (t) => {
    const { pets, orders } = await engine.open(t)
    const customers = ['Ada Lovelace', undefined, 'Zoë Adams', 'Grace Hopper', 'ADA', 'Lady Ada, Countess of Lovelace']
    for (const [index, customer] of customers.entries()) {
      await pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
      await orders.place({ petId: BigInt(index + 1), ...(customer !== undefined && { customer }) })
    }
    await orders.update(5n, { status: 'completed' })
    const find = (query: Parameters<Orders['list']>[0]) => walk(orders, query, 2)

    assert.deepEqual(await find({ customer: 'ada' }), [1n, 3n, 5n, 6n])
    assert.deepEqual(await find({ customer: 'lovelace àda' }), [1n, 6n])
    assert.deepEqual(await find({ customer: 'zoe' }), [3n])
    assert.deepEqual(await find({ customer: 'ada', sort: '-id' }), [6n, 5n, 3n, 1n])
    assert.deepEqual(await find({ customer: 'ada', status: 'placed' }), [1n, 3n, 6n])
    assert.deepEqual(await find({ customer: 'ada', petId: 3n }), [3n])
    assert.deepEqual(await find({ customer: 'dams' }), [])
    assert.deepEqual(await find({ customer: '%ada_' }), [1n, 3n, 5n, 6n])
    assert.deepEqual(await find({ customer: 'zoë' }), [3n])
    await orders.update(3n, { customer: null })
    assert.deepEqual(await find({ customer: 'ada', status: 'placed' }), [1n, 6n])
  })
}

for (const engine of engines) {
  test(`${engine.name}: orders are found by the words of their animal’s name, as it is now`, async (t) => {
    const { pets, orders } = await engine.open(t)
    const long = `${'Señora '.repeat(200)}Bella`
    for (const [index, name] of ['Bella', 'Rex', 'La belle Éloïse', 'BELLADONNA', long, 'Isabella'].entries()) {
      await pets.create({ name, categoryId: 1n, status: 'available' })
      await orders.place({ petId: BigInt(index + 1), customer: index % 2 === 0 ? 'Ada' : 'Grace' })
    }
    await orders.update(4n, { status: 'completed' })
    const find = (query: Parameters<Orders['list']>[0]) => walk(orders, query, 1)

    assert.deepEqual(await find({ petName: 'bell' }), [1n, 3n, 4n])
    assert.deepEqual(await find({ petName: 'ELOISE bel' }), [3n])
    assert.deepEqual(await find({ petName: 'bell', sort: '-id' }), [4n, 3n, 1n])
    assert.deepEqual(await find({ petName: 'bell', status: 'placed' }), [1n, 3n])
    assert.deepEqual(await find({ petName: 'bell', petId: 4n }), [4n])
    assert.deepEqual(await find({ petName: 'bell', customer: 'grace' }), [4n])
    assert.deepEqual(await find({ petName: '%bell_' }), [1n, 3n, 4n])
    // Of a name of 1,405 characters the first 1,000 count.
    assert.deepEqual(await find({ petName: 'senora' }), [5n])
    await pets.update(2n, { name: 'Bella' })
    await pets.remove(4n)
    assert.deepEqual(await find({ petName: 'bell' }), [1n, 2n, 3n])
    await assert.rejects(find({ petName: '!' }), { code: 'invalid_parameter', message: /^petName / })
  })
}

const customersOfManyOrders = `SELECT n, n, 'placed', 0, 0,
  CASE n WHEN 700 THEN 'Lady ADA' WHEN 800 THEN 'Zoë' WHEN 900 THEN NULL ELSE 'Grace ' || n END FROM`

test('sqlite: a search of orders reads only those that may match, by the index of the list', async (t) => {
  const url = await sqlite.url(t)
  await (await openStorage(url)).close()
  const db = connect(url.replace('sqlite:', ''), { timeout: 0 })
  t.after(() => db.close())
  db.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
    INSERT INTO orders (id, pet_id, status, placed_at, updated_at, customer) ${customersOfManyOrders} numbers`)
  const { propose } = sqliteOrderProposals(db, sharedSnapshot(db).readAtEndOfTick)

  const part = await propose({ customer: 'ada' }, 2_000, { after: 0n, sort: 'id', filter: {} })
  const rest = await propose({ customer: 'ada' }, 2_000, { after: 2_001n, sort: '-id', filter: { status: 'placed' } })
  const planOf = (words: ProposalWords) => {
    const sql = proposalSql('WHERE status = ? AND id < ? ORDER BY id DESC LIMIT (? + 0)', words)
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]
    return steps.map(({ detail }) => detail).join(', ')
  }

  assert.deepEqual([part.rows.map(([id]) => id), part.next], [[700n, 800n], 2_000n])
  assert.deepEqual([rest.rows.map(([id]) => id), rest.next], [[800n, 700n], undefined])
  for (const [words, lookUps] of [
    [{ customer: 'ada' }, /orders USING INTEGER PRIMARY KEY/],
    [{ petName: 'rex' }, /pets USING INTEGER PRIMARY KEY.*orders USING INTEGER PRIMARY KEY/],
    [{ customer: 'ada', petName: 'rex' }, /pets USING INTEGER PRIMARY KEY.*orders USING INTEGER PRIMARY KEY/],
  ] as const) {
    const plan = planOf(words)
    assert.match(plan, /orders USING INDEX orders_by_status \(status=\? AND rowid<\?\)/)
    assert.match(plan, lookUps)
    assert.doesNotMatch(plan, /TEMP B-TREE|SCAN orders|SCAN pets/)
  }
})

test('sqlite: a search by customer passes no order while others leave its filter', async (t) => {
  const url = await sqlite.url(t)
  await (await openStorage(url)).close()
  const [reader, writer] = [url, url].map((each) => connect(each.replace('sqlite:', ''), { timeout: 0 })) as [
    DatabaseSync,
    DatabaseSync,
  ]
  t.after(() => [reader, writer].forEach((each) => each.close()))
  writer.exec(`INSERT INTO orders (id, pet_id, status, placed_at, updated_at, customer)
    VALUES (1, 1, 'placed', 0, 0, 'Grace'), (2, 2, 'placed', 0, 0, 'Grace'), (3, 3, 'placed', 0, 0, 'Ada'),
      (4, 4, 'placed', 0, 0, 'Grace')`)
  // Another process completes an order while this one compares.
  reader.function('like', (_pattern, _text) => {
    writer.exec("UPDATE orders SET status = 'completed' WHERE id = 1")
    return 0
  })
  const { propose } = sqliteOrderProposals(reader, sharedSnapshot(reader).readAtEndOfTick)

  const { next } = await propose({ customer: 'ada' }, 2, { after: 0n, sort: 'id', filter: { status: 'placed' } })

  assert.equal(next, 2n)
})

test('postgres: a search of orders reads only those that may match, by the index of the list', async (t) => {
  const url = await postgres.url(t)
  await (await openStorage(url)).close()
  await runSql(
    url,
    `INSERT INTO orders (id, pet_id, status, placed_at, updated_at, customer)
       ${customersOfManyOrders} generate_series(1, 3000) AS n;
     ANALYZE orders`,
  )
  const { statement } = proposals.customer['-id']({ status: 'placed' })
  const both = proposals.both['-id']({ status: 'placed' }).statement

  const [, , rows = [], plan = [], , planOfBoth = []] = await runAll(url, [
    setSql(readerSettings, 'session'),
    `PREPARE question AS ${statement.text}`,
    "EXECUTE question ('placed', 2001, 1999, '%ada%')",
    "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE question ('placed', 2001, 1999, '%ada%')",
    `PREPARE both_texts AS ${both.text}`,
    "EXPLAIN (COSTS OFF) EXECUTE both_texts ('placed', 2001, 1999, '%ada%', '% rex%')",
  ])

  assert.deepEqual(
    rows.map((row) => String(row).split(',')[0]),
    ['800', '700', '2', '1'],
  )
  assert.match(plan.join('\n'), /using orders_by_status on orders/)
  assert.doesNotMatch(plan.join('\n'), /Seq Scan|Sort/)
  assert.match(planOfBoth.join('\n'), /Nested Loop[^]*using orders_by_status on orders[^]*using pets_pkey on pets/)
  assert.doesNotMatch(planOfBoth.join('\n'), /Seq Scan|Sort|Hash/)
})

test('a search by customer looks through a part of many orders, and the next page continues there', async () => {
  const all = Array.from({ length: maxOrdersSearched + 2 }, (_, index) => orderOf(BigInt(index + 1)))
  const end = BigInt(maxOrdersSearched)
  for (const id of [1n, end, end + 1n]) Object.assign(all[Number(id) - 1] as Order, { customer: 'Ada' })
  const list = searchIn(all)
  const ada = { customer: 'ada' }

  const { items, ...rest } = await list(ada, 20, 0n)

  assert.deepEqual(ids(items), [1n, end])
  assert.deepEqual(rest, { more: true, next: end })
  assert.deepEqual(ids((await list(ada, 20, end)).items), [end + 1n])
  assert.deepEqual(await list({ customer: 'grace' }, 20, 0n), { items: [], ...rest })
  assert.deepEqual(await list(ada, 1, 0n), { items: [all[0]], more: true, next: 1n })
})

test('a search by customer compares a limited number of customers that the database cannot compare', async () => {
  const all = Array.from({ length: maxOrdersSearched }, (_, index) => ({
    ...orderOf(BigInt(index + 1)),
    customer: 'Zoë',
  }))

  const { items, next } = await searchIn(all)({ customer: 'ada' }, 20, 0n)

  assert.deepEqual([items, next], [[], 5_000n])
})

test('a search by the animal’s name compares fewer long names, and the next page continues there', async () => {
  const all = Array.from({ length: 1_000 }, (_, index) => orderOf(BigInt(index + 1)))

  const { items, next } = await searchIn(all)({ petName: 'bella' }, 20, 0n)

  // A name of 1,000 characters counts as 81 short ones.
  assert.deepEqual([items, next], [[], 62n])
  assert.equal((await searchIn(all)({ petName: 'rex' }, 100, 0n)).items.length, 62)
})

/** Of orders whose ids are 1, 2, 3, … */
function searchIn(all: readonly Order[]): Orders['list'] {
  return withOrderSearch(
    () => assert.fail('This is a search.'),
    (search) =>
      search({
        async propose(words, count, { after }) {
          const part = all.slice(Number(after), Number(after) + count)
          const last = Number(after) + part.length
          const proposed = part.filter(({ customer }) => words.customer === undefined || customer !== undefined)
          const rows = proposed.map((order): ProposedRow => [...resourceRows.orders.toRow(order), null])
          return { rows, ...(last < all.length && { next: BigInt(last) }) }
        },
        comparedName: async () => 'Rex '.repeat(250),
      }),
  )
}

async function walk(orders: Orders, query: Parameters<Orders['list']>[0], limit: number): Promise<bigint[]> {
  const found: bigint[] = []
  let page = await orders.list(query, limit, 0n)
  found.push(...ids(page.items))
  while (page.more) {
    page = await orders.list(query, limit, page.next ?? 0n)
    found.push(...ids(page.items))
  }
  return found
}

function ids(orders: readonly Order[]): bigint[] {
  return orders.map(({ id }) => id)
}

function orderOf(id: bigint): Order {
  const at = '2030-01-01T00:00:00.000Z'
  return { id, petId: id, status: 'placed', placedAt: at, updatedAt: at }
}

function callerNamed(id: string): Caller {
  return { id, signal: new AbortController().signal, reserve: async () => {}, tryReserve: () => true }
}
