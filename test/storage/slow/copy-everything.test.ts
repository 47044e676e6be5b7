import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { keyHash } from '../../../src/inventory/key-secret.ts'
import { addedKinds, columnsOf, kinds } from '../../../src/inventory/snapshot.ts'
import { type CopyWatcher, copyStorage } from '../../../src/storage/copy/copy.ts'
import { openStorage } from '../../../src/storage/open.ts'
import { connect } from '../../../src/storage/postgres/connection/connect.ts'
import { readServer } from '../../../src/storage/postgres/connection/server.ts'
import { latestSchema, migrate } from '../../../src/storage/sqlite/schema/migrate.ts'
import { openForWriting } from '../../../src/storage/sqlite/connection/database.ts'
import { nextVersion } from '../../support/next-version.ts'
import { type Engine, postgres, sqlite, temporaryFolder } from '../../support/engines.ts'
import { openTarget, rowsIn } from '../../support/snapshot.ts'
import { runSql } from '../../support/postgres-databases.ts'
import { addMany, fillShop, unfinishedImport } from '../../support/awkward-shop.ts'

const nobody: CopyWatcher = () => undefined
const refused = (message: RegExp) => ({ name: 'StorageError', message })

for (const [from, to] of [
  [sqlite, postgres],
  [postgres, sqlite],
  [sqlite, sqlite],
  [postgres, postgres],
] as const) {
  const way = `${from.name} to ${to.name}`

  test(`${way}: a copy has every row of every kind unchanged`, async (t) => {
    const [source, target] = await bothUrls(t, from, to)
    await fillShop(source)

    const { rows, digests } = await copyStorage(source, target, nobody)

    const before = await rowsIn(source)
    assert.deepEqual(withoutState(await rowsIn(target)), withoutState(before))
    for (const kind of kinds) {
      assert.ok(before[kind].length > 0, kind)
      assert.equal(digests[kind].rows, before[kind].length)
    }
    assert.equal(rows, addedKinds.flatMap((kind) => before[kind]).length)
  })

  test(`${way}: all webhooks are disabled after a copy, with their secrets and ids unchanged`, async (t) => {
    const [source, target] = await bothUrls(t, from, to)
    await fillShop(source)

    const { ended } = await copyStorage(source, target, nobody)

    const [old, now] = [await openStorage(source), await openStorage(target)]
    t.after(() => Promise.all([old.close(), now.close()]))
    const [before, after] = [await old.webhooks.list(100, 0n), await now.webhooks.list(100, 0n)]
    const enabled = before.items.filter((webhook) => webhook.enabled)
    assert.ok(enabled.length > 1 && enabled.length < before.items.length)
    assert.equal(ended.webhooks, enabled.length)
    assert.deepEqual(await now.webhooks.enabled(), [])
    for (const [index, { id, disabledReason, disabledAt }] of after.items.entries()) {
      const { id: oldId, disabledReason: reason = 'copied' } = before.items[index] ?? {}
      assert.deepEqual([id, disabledReason, disabledAt !== undefined], [oldId, reason, true])
    }
  })

  test(`${way}: all open invitations have ended after a copy`, async (t) => {
    const [source, target] = await bothUrls(t, from, to)
    await fillShop(source)

    const { ended } = await copyStorage(source, target, nobody)

    const [old, now] = [await openStorage(source), await openStorage(target)]
    t.after(() => Promise.all([old.close(), now.close()]))
    const [before, after] = [await old.invitations.list(100, 0n), await now.invitations.list(100, 0n)]
    assert.ok(before.items.length > 0 && before.items.every(({ expiresAt }) => Date.parse(expiresAt) > Date.now()))
    assert.equal(ended.invitations, before.items.length)
    assert.deepEqual(
      after.items,
      before.items.map((invitation) => ({ ...invitation, expiresAt: invitation.createdAt })),
    )
    const [invitation] = after.items
    assert.ok(invitation)
    const key = { id: 'key_new', hash: keyHash('new') }
    assert.deepEqual(await now.invitations.redeem(invitation, key), { outcome: 'refused' })
  })

  test(`${way}: derived data are rebuilt after a copy, and the shop works`, async (t) => {
    const [source, target] = await bothUrls(t, from, to)
    await fillShop(source)
    await copyStorage(source, target, nobody)
    const [old, now] = [await openStorage(source), await openStorage(target)]
    t.after(() => Promise.all([old.close(), now.close()]))

    for (const filter of [{}, { categoryId: 1n }, { status: 'sold' }, { categoryId: 3n, status: 'pending' }] as const) {
      assert.equal(await now.pets.count(filter), await old.pets.count(filter))
    }
    assert.deepEqual(await now.keys.list(), await old.keys.list())
    assert.equal((await now.keys.find(keyHash('key_a')))?.revokedAt, 2_000)
    assert.equal((await now.events.latest()).id, (await old.events.latest()).id)
    assert.deepEqual(await now.imports.stepOf(unfinishedImport), { fingerprint: 'f', body: '{"rows":5000}' })
    for (const idempotencyKey of [{ keyId: 'key_1', name: 'create Rex', fingerprint: 'f' }, undefined]) {
      const pet = { name: 'Rex', categoryId: 1n }
      assert.deepEqual(await now.pets.create(pet, idempotencyKey), await old.pets.create(pet, idempotencyKey))
    }
  })

  test(`${way}: a copy interrupted after any page resumes and copies nothing twice`, async (t) => {
    const [source, target] = await bothUrls(t, from, to)
    await fillShop(source)
    await addMany(source, 3_000)
    let copied = 0
    let stops = 0

    for (;;) {
      const before = copied
      const stopAfterOnePage: CopyWatcher = (stage, rows) => {
        if (stage !== 'copied') return
        if (copied > before) throw new Error('stopped')
        copied += rows
      }
      const copy = copyStorage(source, target, stopAfterOnePage)
      if (await copy.then(() => true, isStopped)) break
      stops++
    }

    const before = await rowsIn(source)
    assert.deepEqual(withoutState(await rowsIn(target)), withoutState(before))
    assert.ok(stops >= 5, `${stops} stops`)
  })

  test(`${way}: a finished copy has nothing to do when run again`, async (t) => {
    const [source, target] = await bothUrls(t, from, to)
    await fillShop(source)
    const first = await copyStorage(source, target, nobody)

    const second = await copyStorage(source, target, nobody)

    assert.deepEqual(second, { rows: 0, digests: first.digests, ended: { webhooks: 0, invitations: 0 } })
  })

  test(`${way}: a copy fails if its source is changed meanwhile`, async (t) => {
    const [source, target] = await bothUrls(t, from, to)
    await fillShop(source)
    const write = await writerTo(t, source)

    const copy = copyStorage(source, target, (stage) => {
      if (stage === 'copied') write()
    })

    await assert.rejects(copy, refused(/was changed during the copy: stop the service and copy into a new database\.$/))
    await assert.rejects(
      copyStorage(source, target, nobody),
      refused(/unfinished copy in .* is of another database, or .* was changed since: copy into a new database/),
    )
    // Both commands agree on what to do.
    await assert.rejects(openStorage(target), refused(/or copy into a new database if the source was changed since\.$/))
  })

  test(`${way}: an empty shop can be copied`, async (t) => {
    const [source, target] = await bothUrls(t, from, to)
    await (await openStorage(source)).close()

    assert.equal((await copyStorage(source, target, nobody)).rows, 0)
    await (await openStorage(target)).close()
  })
}

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

async function bothUrls(t: TestContext, from: Engine, to: Engine): Promise<[from: string, to: string]> {
  return [await from.url(t), await to.url(t)]
}

/** What another program does that writes to the database: it renames a category. */
async function writerTo(t: TestContext, url: string): Promise<() => void> {
  const sql = "UPDATE categories SET name = 'renamed' WHERE id = 7"
  if (url.startsWith('sqlite:')) {
    const db = new DatabaseSync(url.slice('sqlite:'.length))
    t.after(() => db.close())
    return () => db.exec(sql)
  }
  const session = await connect(readServer(url))
  t.after(() => session.end())
  // Our sessions are read-only by default.
  return () => void session.run({ text: `BEGIN READ WRITE; ${sql}; COMMIT` })
}

function isStopped(error: Error): false {
  if (error.message !== 'stopped') throw error
  return false
}

function digestOf(url: string): string {
  return createHash('sha256')
    .update(readFileSync(url.slice('sqlite:'.length)))
    .digest('hex')
}

/** Without what a copy changes: whether a webhook is enabled, and why not. */
function withoutState(rows: Awaited<ReturnType<typeof rowsIn>>) {
  const isState = (index: number) => columnsOf.webhooks[index]?.startsWith('disabled_') ?? false
  const expiry = columnsOf.invitations.indexOf('expires_at')
  return {
    ...rows,
    webhooks: rows.webhooks.map((row) => row.filter((_value, index) => !isState(index))),
    invitations: rows.invitations.map((row) => row.toSpliced(expiry, 1)),
  }
}
