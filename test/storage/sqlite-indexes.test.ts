import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { prepareResource } from '../../src/storage/sqlite/reads/resources.ts'
import { openForWriting } from '../../src/storage/sqlite/connection/database.ts'
import { sqliteEvents } from '../../src/storage/sqlite/ports/events.ts'
import { prepareCounts } from '../../src/storage/sqlite/schema/counts.ts'
import { migrate } from '../../src/storage/sqlite/schema/migrate.ts'
import { readNow } from '../../src/storage/sqlite/reads/shared-snapshot.ts'
import { sqlitePets } from '../../src/storage/sqlite/ports/pets.ts'
import { defaultBudget } from '../../src/storage/shared/reads/find-by-name.ts'
import { prepareLists } from '../../src/storage/sqlite/reads/lists.ts'
import type { HoldState } from '../../src/storage/sqlite/reads/held-states.ts'
import { inlineSearcher } from '../../src/storage/sqlite/reads/searcher.ts'
import { prepareStoreChange } from '../../src/storage/sqlite/rules/changes.ts'
import { migrated, writerOf } from '../support/sqlite-file.ts'

const statements = statementsOfReads()

test('sqlite: the statements that are tested here read every table', () => {
  const tables = ['pets', 'pet_totals', 'category_counts', 'orders', 'categories', 'events']

  const unread = tables.filter((table) => !statements.some((sql) => new RegExp(`FROM ${table}\\b`).test(sql)))

  assert.deepEqual(unread, [])
})

for (const sql of statements) {
  test(`sqlite: an index serves, in order, ${sql}`, (t) => {
    const { db } = migrated(t)

    const plan = planOf(db, sql)

    // A page of all categories begins at the first one: that scan ends with the page.
    if (sql !== 'SELECT id, name FROM categories ORDER BY id LIMIT (? + 0)')
      assert.doesNotMatch(plan, /SCAN (pets|category_counts|orders|categories|events)\b/)
    // The categories of an inventory are found by an index, at most 100 of them; only those are then sorted.
    if (!/AS (largest|listed)/.test(sql)) assert.doesNotMatch(plan, /TEMP B-TREE/)
  })
}

// `IN` with three values or more in a CHECK or an index would build one for each row: a fifth of the cost of a create.
test('sqlite: a row is stored without a temporary table', (t) => {
  const { db } = migrated(t)
  const { listening, statements: stored } = listenTo(db)
  prepareStoreChange(listening, prepareCounts(listening))

  const building = stored.filter((sql) => {
    const steps = db.prepare(`EXPLAIN ${sql}`).all() as { opcode: string }[]
    return steps.some(({ opcode }) => opcode === 'OpenEphemeral')
  })

  assert.ok(stored.length > 10)
  assert.deepEqual(building, [])
})

test('sqlite: an index answers whether an animal has an open order', (t) => {
  const { db } = migrated(t)

  const plan = planOf(db, "SELECT 1 FROM orders WHERE pet_id = ? AND status = 'placed'")

  assert.match(plan, /SEARCH orders USING COVERING INDEX/)
})

test('sqlite: the table itself refuses a second open order for an animal', (t) => {
  const { db } = migrated(t)
  const insert = db.prepare('INSERT INTO orders (pet_id, status, placed_at, updated_at) VALUES (1, ?, 0, 0)')
  for (const status of ['cancelled', 'cancelled', 'completed', 'placed']) insert.run(status)

  assert.throws(() => insert.run('placed'), /UNIQUE/)
})

test('sqlite: an index serves the look-up of a key by its hash', (t) => {
  const { db } = migrated(t)

  const [step] = db.prepare('EXPLAIN QUERY PLAN SELECT id FROM api_keys WHERE hash = ?').all() as { detail: string }[]

  assert.match(step?.detail ?? '', /SEARCH api_keys USING .*INDEX/)
})

/** The SQL that the ports prepare for their reads of the shop, statements from the connection they are given. */
function statementsOfReads(): string[] {
  const db = openForWriting(':memory:')
  migrate(db, ':memory:')
  const { listening, statements } = listenTo(db)
  const writer = writerOf(db)
  const hold: HoldState = (read) => read(listening)
  const searcher = inlineSearcher(listening, defaultBudget)
  sqlitePets({ reader: listening, writer, clock: () => 0, searcher, readAtEndOfTick: readNow, hold })
  const { lists: orderLists } = prepareResource(listening, 'orders')
  prepareResource(listening, 'categories')
  sqliteEvents(listening, writer, hold)
  // Lists are prepared when they are first read.
  for (const sort of ['id', '-id'] as const) {
    for (const status of [undefined, 'sold', 'none'] as const) {
      for (const categoryId of [undefined, 1n]) {
        prepareLists(listening)[sort]({ ...(status && { status }), ...(categoryId && { categoryId }) })
      }
    }
    for (const status of [undefined, 'placed'] as const) {
      for (const petId of [undefined, 1n]) {
        orderLists[sort]({ status, petId })
      }
    }
  }
  return [...new Set(statements)]
}

/** The same connection, and the statements that are prepared with it. */
function listenTo(db: DatabaseSync): { listening: DatabaseSync; statements: string[] } {
  const statements: string[] = []
  const listening = new Proxy(db, {
    get(target, member) {
      if (member !== 'prepare') return Reflect.get(target, member)
      return (sql: string) => {
        statements.push(sql)
        return target.prepare(sql)
      }
    },
  })
  return { listening, statements }
}

function planOf(db: DatabaseSync, sql: string): string {
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]
  return steps.map(({ detail }) => detail).join('\n')
}
