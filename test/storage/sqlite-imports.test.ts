import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { NewPet } from '../../src/contract/pet.ts'
import { openStorage } from '../../src/storage/open.ts'
import { inlineCommitter } from '../../src/storage/sqlite/writes/commit-targets.ts'
import { openForWriting } from '../../src/storage/sqlite/connection/database.ts'
import { sqliteImports } from '../../src/storage/sqlite/ports/imports.ts'
import { migrate } from '../../src/storage/sqlite/schema/migrate.ts'
import { sqliteWriter } from '../../src/storage/sqlite/writes/writer.ts'
import { unavailable } from '../../src/inventory/errors.ts'
import { temporaryFolder } from '../support/engines.ts'
import { until } from '../support/until.ts'

const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }

test('sqlite: pets are staged while another program holds the write lock', async (t) => {
  const path = join(temporaryFolder(t), 'petstore.db')
  const { imports, pets, close } = await openStorage(`sqlite:${path}`)
  const other = new DatabaseSync(path)
  t.after(async () => {
    other.close()
    await close()
  })
  other.exec('BEGIN IMMEDIATE')

  async function* parts() {
    yield Array.from({ length: 6_000 }, () => rex)
    yield [rex]
    other.exec('COMMIT')
  }

  assert.equal(await imports.add(parts()), true)
  assert.equal(await pets.count({}), 6_001n)
})

test('sqlite: an import that cannot be added leaves nothing staged, also while another program holds the lock', async (t) => {
  const path = join(temporaryFolder(t), 'petstore.db')
  const db = openForWriting(path)
  migrate(db, path)
  db.exec('PRAGMA busy_timeout = 1')
  const other = new DatabaseSync(path)
  t.after(() => {
    other.close()
    db.close()
  })
  const imports = sqliteImports(db, sqliteWriter(inlineCommitter(db)), Date.now)
  other.exec('BEGIN IMMEDIATE')

  await assert.rejects(imports.add(Array.from({ length: 6_000 }, () => rex)))

  assert.deepEqual(db.prepare('SELECT name FROM temp.sqlite_schema').all(), [])
})

for (const { what, fails } of [
  { what: 'a part was staged', fails: (name: string, nth: number) => name === 'stagePets' && nth === 2 },
  {
    what: 'the outcome of the first part is unknown',
    fails: (name: string, nth: number) => name === 'stagePets' && nth === 1,
  },
]) {
  test(`sqlite: staged pets whose discard is refused are discarded later, after ${what}`, async (t) => {
    const path = join(temporaryFolder(t), 'petstore.db')
    const db = openForWriting(path)
    migrate(db, path)
    t.after(() => db.close())
    const writer = sqliteWriter(inlineCommitter(db))
    const counts = new Map<string, number>()
    // Fails after it was done, as if its answer were lost.
    const refusing: Pick<typeof writer, 'write'> = {
      async write(name, input) {
        const nth = (counts.get(name) ?? 0) + 1
        counts.set(name, nth)
        if (name === 'discardStagedPets' && nth <= 2) throw unavailable('The queue is full.')
        const result = await writer.write(name, input)
        if (fails(name, nth)) throw unavailable('It is unknown whether it is stored.')
        return result
      },
    }
    const imports = sqliteImports(db, { ...writer, ...refusing }, Date.now)
    const tables = () => db.prepare('SELECT name FROM temp.sqlite_schema').all().length

    await assert.rejects(imports.add(Array.from({ length: 12_000 }, () => rex)))

    assert.equal(tables(), 1)
    await until(() => tables() === 0)
  })
}

for (const { added, tookMs, next } of [
  { added: 20_000, tookMs: 400, next: 15_000 },
  { added: 20_000, tookMs: 60_000, next: 10_000 },
  { added: 20_000, tookMs: 0, next: 50_000 },
  { added: 0, tookMs: 0, next: 10_000 },
]) {
  test(`sqlite: after ${added} pets in ${tookMs} ms an import adds ${next} at once`, async (t) => {
    const db = openForWriting(':memory:')
    t.after(() => db.close())
    migrate(db, ':memory:')
    let now = 0
    const imports = sqliteImports(db, sqliteWriter(inlineCommitter(db)), () => (now += tookMs))
    const before = imports.batchSize
    await imports.add(Array.from({ length: added }, () => rex))

    assert.deepEqual([before, imports.batchSize], [10_000, next])
  })
}
