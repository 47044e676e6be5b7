import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { type CheckResult, checkStorage } from '../../src/storage/check/check.ts'
import { checks } from '../../src/storage/check/checks.ts'
import { openStorage } from '../../src/storage/open.ts'
import { latestSchema } from '../../src/storage/postgres/schema/migrate.ts'
import { petTable } from '../../src/storage/sqlite/schema/counts.ts'
import { fillShop } from '../support/awkward-shop.ts'
import { damageTable } from '../support/damage.ts'
import { type Engine, postgres, sqlite } from '../support/engines.ts'
import { runSql } from '../support/postgres-databases.ts'

interface Damage {
  /** The check that finds it, and what it says first. */
  check: string
  says: RegExp
  sql: string | Partial<Record<string, string>>
}

// To the shop below. PETS stands for the table of animals.
const damages: Record<string, Damage> = {
  'a count that is too high': {
    check: 'counts',
    says: /^Category 1 has a count of 9 animals with the status available, but contains 1\.$/,
    sql: {
      sqlite: 'UPDATE category_counts SET available = 9 WHERE category_id = 1',
      postgres: "UPDATE pet_counts SET animals = 9 WHERE category_id = 1 AND status = 'available'",
    },
  },
  'a count that is missing': {
    check: 'counts',
    says: /^Category 2 has a count of 0 animals with no status, but contains 1\.$/,
    sql: {
      sqlite: 'DELETE FROM category_counts WHERE category_id = 2',
      postgres: 'DELETE FROM pet_counts WHERE category_id = 2',
    },
  },
  'a total that is wrong': {
    check: 'counts',
    says: /^All categories together have a count of 7 animals with the status sold, but contain 1\.$/,
    sql: 'UPDATE pet_totals SET sold = 7',
  },
  'a total of a category that is wrong': {
    check: 'counts',
    says: /^Category 1 has a count of .* animals .*, but contains .*\.$/,
    sql: {
      sqlite: 'UPDATE category_counts SET none = 8 WHERE category_id = 1',
      postgres: 'UPDATE category_totals SET animals = 9 WHERE category_id = 1',
    },
  },
  'a counter below the ids of animals': {
    check: 'counters',
    says: /^The counter of pets is at 3, below the id 5, which is in use\.$/,
    sql: {
      sqlite: `UPDATE sqlite_sequence SET seq = 3 WHERE name = '${petTable}'`,
      postgres: "UPDATE counters SET last = 3 WHERE name = 'pets'",
    },
  },
  'a counter below what an earlier history reached': {
    check: 'counters',
    says: /^The counter of orders is at 2, below the id 9, which is in use\.$/,
    sql: 'UPDATE histories SET orders_before = 9',
  },
  'a counter below the ids of orders': {
    check: 'counters',
    says: /^The counter of orders is at 1, below the id 2, which is in use\.$/,
    sql: {
      sqlite: "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'orders'",
      postgres: "UPDATE counters SET last = 1 WHERE name = 'orders'",
    },
  },
  'an event that is missing': {
    check: 'event ids',
    says: /^Event 3 is missing\.$/,
    sql: 'DELETE FROM events WHERE id = 3',
  },
  'the latest event missing': {
    check: 'event ids',
    says: /^The latest event should be 12, but the last stored one is 11\.$/,
    sql: 'DELETE FROM events WHERE id = 12',
  },
  'an event with invalid data': {
    check: 'event contents',
    says: /^Event 2 has invalid data\.$/,
    sql: `UPDATE events SET data = '{"id":2' WHERE id = 2`,
  },
  'an event with an invalid author': {
    check: 'event contents',
    says: /^Event 2 has an invalid author\.$/,
    sql: "UPDATE events SET author = '{}' WHERE id = 2",
  },
  'a name that the search index does not have': {
    check: 'search index',
    says: /^The search index does not agree with the names of the animals 1 to 1000\.$/,
    sql: { sqlite: 'DELETE FROM pet_words WHERE rowid = 1' },
  },
  'a word that the search index has though no name does': {
    check: 'search index',
    says: /^The (search index does not agree with the names of|words of the animal 1 are not those of its name)/,
    sql: {
      sqlite: "INSERT INTO pet_words (rowid, words) VALUES (9, 'rex')",
      postgres: "UPDATE pets SET words = 'rex max' WHERE id = 1",
    },
  },
  'two open orders for an animal': {
    check: 'open orders',
    says: /^The animal 2 has 2 open orders\.$/,
    sql: "DROP INDEX open_orders_by_pet; UPDATE orders SET pet_id = 2, status = 'placed'",
  },
  'an open order whose animal is available': {
    check: 'ordered animals',
    says: /^The order 1 is open, but its animal 2 has the status available\.$/,
    sql: `UPDATE PETS SET status = 'available' WHERE id = 2`,
  },
  'an open order whose animal is gone': {
    check: 'ordered animals',
    says: /^The order 1 is open, but its animal 2 does not exist\.$/,
    sql: 'DELETE FROM PETS WHERE id = 2',
  },
  'an animal that was changed without an event': {
    check: 'events of animals',
    says: /^Event 1 \(pet\.created\) says that the animal 1 is \{.*"name":"Rex".*\}, but it is \{.*"name":"Max".*\}\.$/,
    sql: "UPDATE PETS SET name = 'Max' WHERE id = 1",
  },
  'an animal that was deleted without an event': {
    check: 'events of animals',
    says: /^Event 1 \(pet\.created\) is about the animal 1, which does not exist\.$/,
    sql: 'DELETE FROM PETS WHERE id = 1',
  },
  'an animal that is there though it was deleted': {
    check: 'events of animals',
    says: /^Event 12 \(pet\.deleted\) says that the animal 5 was deleted, but it exists\.$/,
    sql: "INSERT INTO PETS (id, name, category_id) VALUES (5, 'Zoe', 1)",
  },
  'an animal that was added without an event': {
    check: 'events of animals',
    says: /^The animal 6 was added without an event\.$/,
    sql: "INSERT INTO PETS (id, name, category_id) VALUES (6, 'Zoe', 1)",
  },
  'an order that was closed without an event': {
    check: 'events of orders',
    says: /^Event 6 \(order\.placed\) says that the order 1 is \{.*"placed".*\}, but it is \{.*"cancelled".*\}\.$/,
    sql: "UPDATE orders SET status = 'cancelled' WHERE id = 1",
  },
  'an order that is gone': {
    check: 'events of orders',
    says: /^Event \d+ \(order\.completed\) is about the order 2, which does not exist\.$/,
    sql: 'DELETE FROM orders WHERE id = 2',
  },
  'an order that was placed without an event': {
    check: 'events of orders',
    says: /^The order 3 was placed without an event\.$/,
    sql: "INSERT INTO orders (id, pet_id, status, placed_at, updated_at) VALUES (3, 3, 'cancelled', 0, 0)",
  },
}

test('every check has a test for its damage', () => {
  const found = new Set(Object.values(damages).map(({ check }) => check))

  assert.deepEqual(found, new Set(checks.map(({ name }) => name)))
})

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: check accepts a new and a full database`, async (t) => {
    const url = await engine.url(t)
    await (await openStorage(url)).close()
    assert.deepEqual(wrongIn(await check(url)), [])

    await fillShop(url)

    assert.deepEqual(wrongIn(await check(url)), [])
  })

  test(`${engine.name}: check accepts a database with expired events`, async (t) => {
    const { url, storage } = await shop(t, engine)
    await storage.events.forget(6)

    assert.deepEqual(wrongIn(await check(url)), [])
  })

  for (const [what, { check: name, says, sql }] of Object.entries(damages)) {
    const statement = typeof sql === 'string' ? sql : sql[engine.name]
    if (statement === undefined) continue
    test(`${engine.name}: check finds ${what}`, async (t) => {
      const { url } = await shop(t, engine)

      await execute(url, statement.replaceAll('PETS', engine === sqlite ? petTable : 'pets'))

      const found = (await check(url)).find((each) => each.name === name)
      assert.equal(found?.result, 'wrong')
      assert.match(found.sentences[0] ?? '', says)
    })
  }

  test(`${engine.name}: check reports the first ten faults of a kind and that there are more`, async (t) => {
    const { url, storage } = await shop(t, engine)
    for (let added = 0; added < 20; added++) await storage.pets.create({ name: 'Kiwi', categoryId: 1n })

    await execute(url, `UPDATE ${engine === sqlite ? petTable : 'pets'} SET name = 'Max'`)

    const found = (await check(url)).find(({ name }) => name === 'events of animals')
    assert.deepEqual([found?.sentences.length, found?.more], [10, true])
  })

  test(`${engine.name}: check reads one snapshot while others write`, async (t) => {
    const { url, storage } = await shop(t, engine)
    const results: CheckResult[] = []

    for await (const result of checkStorage(url, 'production')) {
      results.push(result)
      const creation = await storage.pets.create({ name: 'Ada', categoryId: 3n, status: 'available' })
      assert.equal(creation.outcome, 'created')
      if (creation.outcome === 'created') await storage.orders.place({ petId: creation.pet.id })
    }

    assert.deepEqual(wrongIn(results), [])
  })

  test(`${engine.name}: check refuses an old schema and changes nothing`, async (t) => {
    const { url, storage } = await shop(t, engine)
    await storage.close()
    const older = { sqlite: 'PRAGMA user_version = 1', postgres: 'DELETE FROM petstore_migrations WHERE number > 1' }
    await execute(url, older[engine.name as 'sqlite' | 'postgres'])

    await assert.rejects(check(url), { name: 'StorageError', message: /is not up to date .* run petstore migrate/ })

    // Other tests use the same database of PostgreSQL.
    const restore = `INSERT INTO petstore_migrations SELECT number, '' FROM generate_series(2, ${latestSchema()}) AS number`
    if (engine === postgres) await execute(url, restore)
  })

  test(`${engine.name}: check refuses the database of the other environment`, async (t) => {
    const url = await engine.url(t)
    await (await openStorage(url, { environment: 'staging' })).close()

    await assert.rejects(check(url), { name: 'StorageError', message: /belongs to staging/ })
  })
}

test('sqlite: check finds damaged pages and continues', async (t) => {
  const { url, storage } = await shop(t, sqlite)
  await storage.close()
  damageTable(url.slice('sqlite:'.length), petTable)

  const results = await check(url)

  const integrity = results.find(({ name }) => name === 'integrity')
  assert.equal(integrity?.result, 'wrong')
  assert.match(integrity.sentences[0] ?? '', /^SQLite /)
  const animals = results.find(({ name }) => name === 'events of animals')
  assert.match(animals?.sentences[0] ?? '', /^The check could not be completed: .*malformed\.$/)
  assert.equal(results.find(({ name }) => name === 'event ids')?.result, 'ok')
})

test('sqlite: check finds an index that lacks a row', async (t) => {
  const { url, storage } = await shop(t, sqlite)
  await storage.close()
  const sql = 'CREATE INDEX orders_by_status ON orders (pet_id)'
  await execute(
    url,
    `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '${sql}' WHERE name = 'orders_by_status'`,
  )

  const [integrity] = await check(url)

  assert.equal(integrity?.result, 'wrong')
  assert.match(integrity.sentences[0] ?? '', /^SQLite finds: row 1 missing from index orders_by_status\.$/)
})

test('sqlite: check changes no byte of the database', async (t) => {
  const { url, storage } = await shop(t, sqlite)
  await storage.close()
  const path = url.slice('sqlite:'.length)
  const before = readFileSync(path)

  await check(url)

  assert.deepEqual(readFileSync(path), before)
})

test('postgres: void totals of an older instance are not a fault', async (t) => {
  const { url } = await shop(t, postgres)

  await execute(url, 'UPDATE pet_totals SET sold = 7, event = event - 1')

  assert.deepEqual(wrongIn(await check(url)), [])
})

test('postgres: check finds an index of words that lacks animals', async (t) => {
  const { url, storage } = await shop(t, postgres)
  const ready = (isReady: boolean) =>
    execute(url, `UPDATE pg_index SET indisready = ${isReady} WHERE indexrelid = 'pets_by_words'::regclass`)

  await ready(false)
  await storage.pets.create({ name: 'Zoë the Brave', categoryId: 1n })
  await ready(true)

  assert.deepEqual((await check(url)).find(({ name }) => name === 'search index')?.sentences, [
    'The animal 6 is missing from the index of the words.',
  ])
})

test('postgres: check accepts a name of many words', async (t) => {
  const { url, storage } = await shop(t, postgres)

  const words = Array.from({ length: 11_000 }, (_, number) => number.toString(36))
  await storage.pets.create({ name: words.join(' '), categoryId: 1n })

  assert.deepEqual(wrongIn(await check(url)), [])
})

test('postgres: check says that files are not verified without amcheck, and verifies them with it', async (t) => {
  const { url } = await shop(t, postgres)

  const [without] = await check(url)
  await execute(url, 'CREATE EXTENSION IF NOT EXISTS amcheck')
  const [with_] = await check(url)
  await execute(url, 'DROP EXTENSION amcheck')

  assert.equal(without?.result, 'skipped')
  assert.match(without.sentences[0] ?? '', /CREATE EXTENSION amcheck/)
  assert.deepEqual([with_?.result, with_?.sentences], ['ok', ['The database finds no damage in its files.']])
})

/**
 * Animals 1 to 4, of which 2 has an open order and 3 a completed one; 5 was deleted. Twelve events, one each
 * millisecond.
 */
async function shop(t: TestContext, engine: Engine) {
  const url = await engine.url(t)
  let now = 0
  const storage = await openStorage(url, { clock: () => now++, environment: 'production' })
  t.after(() => storage.close())
  const { pets, orders } = storage
  await pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
  await pets.create({ name: 'Mia', categoryId: 1n, status: 'available' })
  await pets.create({ name: 'Tom', categoryId: 1n, status: 'available' })
  await pets.create({ name: 'Ada', categoryId: 2n })
  await orders.place({ petId: 2n })
  await orders.place({ petId: 3n })
  await orders.update(2n, { status: 'completed' })
  await pets.create({ name: 'Zoe', categoryId: 1n })
  await pets.remove(5n)
  return { url, storage }
}

async function check(url: string): Promise<CheckResult[]> {
  return Array.fromAsync(checkStorage(url, 'production'))
}

function wrongIn(results: readonly CheckResult[]): CheckResult[] {
  return results.filter(({ result }) => result === 'wrong')
}

async function execute(url: string, sql: string): Promise<void> {
  if (!url.startsWith('sqlite:')) return void (await runSql(url, sql))
  const db = new DatabaseSync(url.slice('sqlite:'.length), { defensive: false })
  db.exec(sql)
  db.close()
}
