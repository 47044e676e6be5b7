import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, type TestContext, test } from 'node:test'
import { type CheckResult, checkStorage } from '../../../src/storage/check/check.ts'
import { checks } from '../../../src/storage/check/checks.ts'
import { encodeAuthor } from '../../../src/contract/event.ts'
import { keyHash } from '../../../src/inventory/key-secret.ts'
import { commandLineKeyId } from '../../../src/inventory/rules/idempotency.ts'
import type { Storage } from '../../../src/inventory/storage.ts'
import { openStorage } from '../../../src/storage/open.ts'
import { latestSchema } from '../../../src/storage/postgres/schema/migrate.ts'
import { nextVersion } from '../../support/next-version.ts'
import { fillShop } from '../../support/awkward-shop.ts'
import { damageTable } from '../../support/damage.ts'
import { damages } from '../../support/damages.ts'
import { type Engine, postgres, sqlite } from '../../support/engines.ts'
import { newPostgresDatabase, runSql } from '../../support/postgres-databases.ts'

test('every check has a test for its damage', () => {
  const found = new Set(Object.values(damages).map(({ check }) => check))

  assert.deepEqual(found, new Set(checks.map(({ name }) => name)))
})

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: check accepts a new and a full database`, async (t) => {
    const url = await engine.url(t)
    await (await openStorage(url, { environment: 'production' })).close()
    assert.deepEqual(wrongIn(await check(url)), [])

    await fillShop(url)

    assert.deepEqual(wrongIn(await check(url)), [])
  })

  test(`${engine.name}: check accepts the longest names, every status, ended keys and closed orders`, async (t) => {
    const { url, storage } = await shop(t, engine)
    const { pets, keys, orders, imports, categories } = storage
    for (const name of ['x'.repeat(65_000), '🐇'.repeat(16_000), 'e\u0301'.repeat(20_000), '-', '\u{10ffff}']) {
      for (const status of ['available', 'pending', 'sold', undefined] as const) {
        await pets.create({ name, categoryId: -1n, ...(status && { status }) })
      }
    }
    await pets.remove(6n)
    await pets.update(10n, { name: 'Kiwi', status: null, categoryId: 9n })
    await orders.update(1n, { status: 'cancelled', customer: '🐇'.repeat(200), note: 'é'.repeat(1_000) })
    await categories.put({ id: -1n, name: '🐇'.repeat(1_000) })
    const key = { permission: 'admin', hash: keyHash('old'), createdAt: 1, expiresAt: 2 } as const
    await keys.create({ ...key, id: 'key_old', name: '🔑'.repeat(100) })
    await keys.revoke('key_old', 3)
    await imports.add([{ name: '🐇', categoryId: 1n }], () => ({
      key: { keyId: commandLineKeyId, name: 'b'.repeat(64), fingerprint: 'f' },
      before: undefined,
      body: '{"rows":1}',
    }))

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
      const url = await shopToDamage(t, engine, statement)

      await execute(url, statement)

      const found = (await check(url)).find((each) => each.name === name)
      assert.equal(found?.result, 'wrong')
      assert.match(found.sentences[0] ?? '', says)
    })
  }

  test(`${engine.name}: check reports the first ten faults of a kind and that there are more`, async (t) => {
    const { url, storage } = await shop(t, engine)
    for (let added = 0; added < 20; added++) await storage.pets.create({ name: 'Kiwi', categoryId: 1n })

    await execute(url, "UPDATE pets SET name = 'Max'")

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

  for (const [what, number, refusal] of [
    ['from before the first release', 4, /before the first release \(schema 4\)/],
    ['of a newer version', latestSchema() + 1, /newer version of the program/],
  ] as const) {
    test(`${engine.name}: check refuses a schema ${what}`, async (t) => {
      const { url, storage } = await shop(t, engine)
      await storage.close()
      const setNumber = (to: number) =>
        execute(
          url,
          engine === sqlite ? `PRAGMA user_version = ${to}` : `UPDATE petstore_migrations SET number = ${to}`,
        )
      await setNumber(number)

      await assert.rejects(check(url), { name: 'StorageError', message: refusal })

      // Other tests use the same database of PostgreSQL.
      await setNumber(latestSchema())
    })
  }

  test(`${engine.name}: check refuses the schema of the version before`, async (t) => {
    const { url, storage } = await shop(t, engine)
    await storage.close()
    const { checkStorage: checkNext } = await nextVersion()

    await assert.rejects(Array.fromAsync(checkNext(url, 'production')), {
      name: 'StorageError',
      message: /is not up to date \(schema 100 of 101\): run petstore migrate first\.$/,
    })
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
  damageTable(url.slice('sqlite:'.length), 'pets')

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

test('sqlite: check finds a page of the search index that no search finds', async (t) => {
  const { url, storage } = await shop(t, sqlite)
  await storage.imports.add(Array.from({ length: 5_000 }, (_, number) => ({ name: `rex${number}`, categoryId: 1n })))
  await storage.close()

  const lastPage = '(SELECT max(segid), max(pgno) FROM pet_words_idx)'
  await execute(url, `DELETE FROM pet_words_idx WHERE (segid, pgno) = ${lastPage}`)

  const found = (await check(url)).find(({ name }) => name === 'search index')
  assert.match(found?.sentences[0] ?? '', /^The search index does not find the animal \d+ by the word "rex\d+"\.$/)
})

test('sqlite: check changes no byte of the database', async (t) => {
  const { url, storage } = await shop(t, sqlite)
  await storage.close()
  const path = url.slice('sqlite:'.length)
  const before = readFileSync(path)

  await check(url)

  assert.deepEqual(readFileSync(path), before)
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
 * millisecond. A category, a key, an idempotency record and an import.
 */
async function shop(t: TestContext, engine: Engine) {
  const url = await engine.url(t)
  const storage = await openShop(url)
  t.after(() => storage.close())
  return { url, storage }
}

let original: Promise<string> | undefined
const folder = mkdtempSync(join(tmpdir(), 'petstore-check-'))
after(() => rmSync(folder, { recursive: true }))

/** A database with that shop, which nobody has open, to be damaged. */
async function shopToDamage(t: TestContext, engine: Engine, sql: string): Promise<string> {
  if (engine === postgres) {
    // Tests that follow use the tables of the usual databases, and the rows of the migrations.
    const url = /ALTER|CREATE|DROP|pg_index|FROM (counters|pet_totals)/.test(sql)
      ? await newPostgresDatabase()
      : await engine.url(t)
    await (await openShop(url)).close()
    return url
  }
  // To copy a file takes a fraction of the time of filling it.
  original ??= makeOriginal()
  const url = await engine.url(t)
  copyFileSync(await original, url.slice('sqlite:'.length))
  return url
}

async function makeOriginal(): Promise<string> {
  const path = join(folder, 'original.db')
  await (await openShop(`sqlite:${path}`)).close()
  return path
}

async function openShop(url: string): Promise<Storage> {
  let now = 0
  const storage = await openStorage(url, { clock: () => now++, environment: 'production' })
  const { pets, orders } = storage
  const key = { keyId: 'key_1', name: 'a', fingerprint: '' }
  await pets.create({ name: 'Rex', categoryId: 1n, status: 'available' }, key, encodeAuthor({ keyName: 'till' }))
  await pets.create({ name: 'Mia', categoryId: 1n, status: 'available' })
  await pets.create({ name: 'Tom', categoryId: 1n, status: 'available' })
  await pets.create({ name: 'Ada', categoryId: 2n })
  await orders.place({ petId: 2n })
  await orders.place({ petId: 3n })
  await orders.update(2n, { status: 'completed' })
  await pets.create({ name: 'Zoe', categoryId: 1n })
  await pets.remove(5n)
  await storage.categories.put({ id: 7n, name: 'Dogs' })
  await storage.keys.create({ id: 'key_1', name: 'till', permission: 'write', hash: keyHash('till'), createdAt: 1 })
  return storage
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
