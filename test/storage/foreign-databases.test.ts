import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { StorageError } from '../../src/storage/shared/errors.ts'
import { openStorage } from '../../src/storage/open.ts'
import { applicationId, pragma } from '../../src/storage/sqlite/connection/database.ts'
import { migrate } from '../../src/storage/sqlite/schema/migrate.ts'
import { temporaryFolder } from '../support/engines.ts'
import { emptyDatabase, tables } from '../support/empty-database.ts'

test('a database of another program is refused', async (t) => {
  const path = foreignDatabase(t)

  await assert.rejects(openStorage(`sqlite:${path}`), isSentenceAbout(path, /another program/))
})

test('a refused database of another program is unchanged', async (t) => {
  const path = foreignDatabase(t)
  const before = readFileSync(path)

  await assert.rejects(openStorage(`sqlite:${path}`))

  assert.ok(readFileSync(path).equals(before), 'the file has changed')
})

test('a database of another program with a version number is refused', async (t) => {
  const path = foreignDatabase(t, 'PRAGMA user_version = 1; PRAGMA application_id = 42')

  await assert.rejects(openStorage(`sqlite:${path}`), isSentenceAbout(path, /another program/))
})

test('a database of a newer version of the program is refused', async (t) => {
  const { db, path } = emptyDatabase(t)
  migrate(db, path)
  const newer = Number(pragma(db, 'user_version')) + 1
  db.exec(`PRAGMA user_version = ${newer}`)

  await assert.rejects(
    openStorage(`sqlite:${path}`),
    isSentenceAbout(path, new RegExp(`newer version.*schema ${newer}`)),
  )
})

test('a database from before the first release is refused and unchanged', async (t) => {
  const { db, path } = emptyDatabase(t)
  db.exec(`CREATE TABLE pets (id); PRAGMA application_id = ${applicationId}; PRAGMA user_version = 5`)
  db.close()

  await assert.rejects(
    openStorage(`sqlite:${path}`),
    isSentenceAbout(path, /before the first release \(schema 5\), .*: use a new database\./),
  )

  const after = new DatabaseSync(path)
  t.after(() => after.close())
  assert.deepEqual([pragma(after, 'user_version'), tables(after)], [5, ['pets']])
})

test('a database of number 100 whose words have no order is from before the first release', async (t) => {
  const { db, path } = emptyDatabase(t)
  migrate(db, path)
  // As the last checkouts before the first release made it.
  db.exec(`DROP TABLE pet_words;
    CREATE VIRTUAL TABLE pet_words USING fts5 (
      words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`)
  db.close()

  for (const options of [{}, { create: false }, { readOnly: true }]) {
    await assert.rejects(
      openStorage(`sqlite:${path}`, options),
      isSentenceAbout(path, /before the first release \(schema 100\), .*: use a new database\./),
    )
  }
})

for (const [what, content] of Object.entries({ 'a text': 'animals\n'.repeat(200), 'a short text': 'animals' })) {
  test(`${what} in place of a database is refused and unchanged`, async (t) => {
    const path = join(temporaryFolder(t), 'petstore.db')
    writeFileSync(path, content)

    await assert.rejects(openStorage(`sqlite:${path}`), isSentenceAbout(path, /not a SQLite database/))

    assert.equal(readFileSync(path, 'utf8'), content)
  })
}

test('a folder that cannot be created is refused', async (t) => {
  const file = join(temporaryFolder(t), 'file')
  writeFileSync(file, '')

  await assert.rejects(openStorage(`sqlite:${file}/below/petstore.db`), isSentenceAbout(`${file}/below`, /cannot be/))
})

test('a folder in place of a database is refused', async (t) => {
  const folder = temporaryFolder(t)

  await assert.rejects(openStorage(`sqlite:${folder}`), isSentenceAbout(folder, /is a folder: name a file in it/))
})

function foreignDatabase(t: TestContext, more = ''): string {
  const path = join(temporaryFolder(t), 'petstore.db')
  const db = new DatabaseSync(path)
  db.exec(`CREATE TABLE invoices (id INTEGER PRIMARY KEY); INSERT INTO invoices VALUES (1); ${more}`)
  db.close()
  return path
}

function isSentenceAbout(path: string, what: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof StorageError, `not a StorageError but ${String(error)}`)
    assert.ok(error.message.includes(path))
    assert.match(error.message, what)
    assert.doesNotMatch(error.message, /\n/)
    return true
  }
}
