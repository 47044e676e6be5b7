import assert from 'node:assert/strict'
import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { backupStorage } from '../../src/storage/backup.ts'
import { inspectStorage } from '../../src/storage/inspect.ts'
import { openStorage } from '../../src/storage/open.ts'
import { engines, sqlite, temporaryFolder } from '../support/engines.ts'
import { newPostgresDatabase, runSql } from '../support/postgres-databases.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
const onPosix = { skip: process.platform === 'win32' ? 'Windows has other permissions' : false }
const notWritable = { name: 'StorageError', message: /cannot be opened for writing.*: check the file, its folder/ }

/** Root may write every file: for the permissions, the work is done by another user. */
async function asOrdinaryUser<Result>(work: () => Promise<Result>): Promise<Result> {
  const isRoot = process.getuid?.() === 0
  if (isRoot) process.seteuid?.(65534)
  try {
    return await work()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

/** A shop with one animal, closed. Every user may write its folder, and nobody its file. */
async function readOnlyFile(t: TestContext): Promise<{ url: string; path: string }> {
  const folder = temporaryFolder(t)
  const path = join(folder, 'shop.db')
  const storage = await openStorage(`sqlite:${path}`)
  await storage.pets.create(rex)
  await storage.close()
  chmodSync(folder, 0o777)
  chmodSync(path, 0o444)
  return { url: `sqlite:${path}`, path }
}

test('sqlite: a file that this user may not write is refused at the start', onPosix, async (t) => {
  const { url } = await readOnlyFile(t)

  await asOrdinaryUser(() => assert.rejects(openStorage(url), notWritable))
})

test('sqlite: a log that this user may not write is refused at the start', onPosix, async (t) => {
  const { url, path } = await readOnlyFile(t)
  const open = await openStorage(url)
  t.after(() => open.close())
  chmodSync(path, 0o666)
  for (const log of ['-wal', '-shm']) chmodSync(path + log, 0o444)

  await asOrdinaryUser(() => assert.rejects(openStorage(url), notWritable))
})

test('sqlite: a start does not wait for the write lock of another process', async (t) => {
  const url = await sqlite.url(t)
  await (await openStorage(url)).close()
  const other = new DatabaseSync(url.slice('sqlite:'.length))
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')

  const storage = await openStorage(url, { lockTimeoutMs: 60_000 })
  t.after(() => storage.close())

  assert.equal(await storage.pets.count({}), 0n)
})

test(
  'sqlite: a backup in a folder that nobody may write can be read, and nothing appears beside it',
  onPosix,
  async (t) => {
    const { url } = await readOnlyFile(t)
    const folder = temporaryFolder(t)
    const backup = join(folder, 'backup.db')
    await backupStorage(url, backup)
    chmodSync(backup, 0o444)
    chmodSync(folder, 0o555)

    const storage = await asOrdinaryUser(() => openStorage(`sqlite:${backup}`, { readOnly: true }))
    t.after(() => storage.close())

    const { items } = await asOrdinaryUser(() => storage.pets.list({ name: 'rex' }, 20, 0n))
    assert.deepEqual(items, [{ id: 1n, ...rex }])
    assert.deepEqual(readdirSync(folder), ['backup.db'])
  },
)

for (const engine of engines.filter(({ name }) => name !== 'sqlite in memory').concat(sqlite)) {
  test(`${engine.name}: a database that is opened read-only must be there, and refuses writes`, async (t) => {
    const url = await engine.url(t)
    if (engine.name === 'sqlite') await assert.rejects(openStorage(url, { readOnly: true }), /There is no database/)
    await (await openStorage(url)).close()

    const storage = await openStorage(url, { readOnly: true })
    t.after(() => storage.close())

    assert.deepEqual(await storage.keys.list(), [])
    if (engine.name === 'sqlite') await assert.rejects(storage.pets.create(rex), { code: 'unavailable' })
  })
}

test('postgres: a user who may only read is refused at the start, and doctor says why', async (t) => {
  const { url, asReader } = await shopWithReader(t)
  await runSql(url, 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO shop_reader')
  const sentence =
    /cannot be written by this user, who lacks SELECT, INSERT, .* on api_keys and 19 more: docs\/postgresql/

  await assert.rejects(openStorage(asReader), { name: 'StorageError', message: sentence })
  assert.match((await inspectStorage(asReader))?.notWritable ?? '', sentence)
  assert.equal((await inspectStorage(url))?.notWritable, undefined)
  await (await openStorage(asReader, { readOnly: true })).close()
})

test('postgres: a user without the grants for one table is refused at the start', async (t) => {
  const { url, asReader } = await shopWithReader(t)
  await runSql(
    url,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO shop_reader;
     REVOKE INSERT ON petstore_migrations FROM shop_reader; REVOKE DELETE ON webhooks FROM shop_reader`,
  )

  await assert.rejects(openStorage(asReader), { message: /INSERT, UPDATE or DELETE on webhooks: / })
  await runSql(url, 'GRANT DELETE ON webhooks TO shop_reader')
  await (await openStorage(asReader)).close()
})

/** The URL of a shop, and the same for a user who has no rights in it yet. */
async function shopWithReader(t: TestContext): Promise<{ url: string; asReader: string }> {
  const url = await newPostgresDatabase()
  await (await openStorage(url)).close()
  await runSql(url, 'DO $$ BEGIN CREATE ROLE shop_reader LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$')
  t.after(() => runSql(url, 'DROP OWNED BY shop_reader'))
  return { url, asReader: url.replace('postgres@', 'shop_reader@') }
}
