import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { copyStorage } from '../../../src/storage/copy/copy.ts'
import { openStorage } from '../../../src/storage/open.ts'
import { latestSchema, migrate } from '../../../src/storage/sqlite/schema/migrate.ts'
import { openForWriting } from '../../../src/storage/sqlite/connection/database.ts'
import { nextVersion } from '../../support/next-version.ts'
import { postgres, sqlite, temporaryFolder } from '../../support/engines.ts'
import { openTarget, rowsIn } from '../../support/snapshot.ts'
import { runSql } from '../../support/postgres-databases.ts'
import { fillShop } from '../../support/awkward-shop.ts'
import { bothUrls, nobody, refused, writerTo } from '../../support/copied-shop.ts'

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: a target with other data is refused and unchanged`, async (t) => {
    const [source, target] = await bothUrls(t, sqlite, engine)
    await fillShop(source)
    const storage = await openStorage(target)
    await storage.keys.create({ id: 'key_1', name: 'first key', permission: 'write', hash: 'h', createdAt: 1 })
    await storage.close()
    const before = await rowsIn(target)

    await assert.rejects(copyStorage(source, target, nobody), refused(/ is not empty: copy into a new one\.$/))

    assert.deepEqual(await rowsIn(target), before)
  })

  test(`${engine.name}: a target with the same number of other rows is refused`, async (t) => {
    const [source, target] = await bothUrls(t, sqlite, engine)
    for (const [url, name] of [
      [source, 'Rex'],
      [target, 'Tom'],
    ] as const) {
      const storage = await openStorage(url)
      await storage.categories.put({ id: 1n, name })
      await storage.close()
    }

    await assert.rejects(copyStorage(source, target, nobody), refused(/ is not empty: copy into a new one\.$/))
  })

  test(`${engine.name}: an unfinished copy of another source is refused and unchanged`, async (t) => {
    const [source, target] = await bothUrls(t, sqlite, engine)
    await fillShop(source)
    const begun = await openTarget(target)
    await begun.begin('another shop', [])
    await begun.add('pets', [[1n, 'Rex', 1n, null]], undefined)
    await begun.close()

    await assert.rejects(copyStorage(source, target, nobody), refused(/unfinished copy in .* is of another database/))

    const after = await openTarget(target)
    t.after(() => after.close())
    assert.deepEqual([await after.state(), await after.last('pets')], ['unfinished', [1n]])
  })

  test(`${engine.name}: a copy fails if another program writes to its target`, async (t) => {
    const [source, target] = await bothUrls(t, sqlite, engine)
    await fillShop(source)
    await (await openStorage(target)).close()
    const write = await writerTo(t, target)

    const copy = copyStorage(source, target, (stage) => {
      if (stage === 'copied') write()
    })

    await assert.rejects(
      copy,
      refused(/differs from what was copied into it \(categories\): copy into a new database\.$/),
    )
  })
}

test('a copy does not change its source', async (t) => {
  const [source, target] = await bothUrls(t, sqlite, sqlite)
  await fillShop(source)
  const before = digestOf(source)

  await copyStorage(source, target, nobody)

  assert.equal(digestOf(source), before)
})

test('an invalid source is refused and no target is created', async (t) => {
  const folder = temporaryFolder(t)
  const target = join(folder, 'target.db')
  writeFileSync(join(folder, 'text.db'), 'animals\n'.repeat(200))
  const older = openForWriting(join(folder, 'older.db'))
  migrate(older, 'older.db')
  older.exec('PRAGMA user_version = 5')
  older.close()
  const other = new DatabaseSync(join(folder, 'other.db'))
  other.exec('CREATE TABLE pets (id)')
  other.close()

  for (const [name, message] of [
    ['nowhere.db', /^There is no database .*nowhere\.db to copy\.$/],
    ['text.db', /is not a SQLite database\.$/],
    ['older.db', /before the first release \(schema 5\)/],
    ['other.db', /is a database of another program/],
  ] as const) {
    await assert.rejects(copyStorage(`sqlite:${join(folder, name)}`, `sqlite:${target}`, nobody), refused(message))
  }
  await assert.rejects(copyStorage('sqlite::memory:', `sqlite:${target}`, nobody), refused(/in-memory/))
  assert.throws(() => readFileSync(target), { code: 'ENOENT' })
})

test('postgres: a source with an unknown schema is refused', async (t) => {
  const [source, target] = await bothUrls(t, postgres, sqlite)
  await (await openStorage(source)).close()
  const next = latestSchema() + 1
  await runSql(source, `INSERT INTO petstore_migrations VALUES (${next}, 'next')`)
  t.after(() => runSql(source, `DELETE FROM petstore_migrations WHERE number = ${next}`))

  await assert.rejects(copyStorage(source, target, nobody), refused(/newer version .* use that version\.$/))
})

test('a database cannot be copied into itself, under any name', async (t) => {
  const url = await sqlite.url(t)
  await fillShop(url)
  const link = join(temporaryFolder(t), 'link.db')
  symlinkSync(url.slice('sqlite:'.length), link)
  const server = await postgres.url(t)

  for (const [from, to] of [
    [url, url],
    [url, `sqlite:${link}`],
    [server, server],
  ] as const) {
    await assert.rejects(copyStorage(from, to, nobody), refused(/cannot be copied into itself\.$/))
  }
})

test('an empty target of the version before is migrated, a used one is refused', async (t) => {
  const { copyStorage: copyNext, openStorage: openNext } = await nextVersion()
  const [source, target] = await bothUrls(t, sqlite, sqlite)
  await (await openNext(source)).close()
  const older = await openStorage(target)
  await older.pets.create({ name: 'Rex', categoryId: 1n })
  await older.close()
  await assert.rejects(copyNext(source, target, nobody), refused(/ is not empty: copy into a new one\.$/))

  const db = new DatabaseSync(target.slice('sqlite:'.length))
  t.after(() => db.close())
  db.exec('DELETE FROM pets; DELETE FROM events; DELETE FROM day_counts; DELETE FROM sqlite_sequence')
  await copyNext(source, target, nobody)

  assert.equal(db.prepare('PRAGMA user_version').get()?.['user_version'], 101)
})

function digestOf(url: string): string {
  return createHash('sha256')
    .update(readFileSync(url.slice('sqlite:'.length)))
    .digest('hex')
}
