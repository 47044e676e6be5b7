import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { backupStorage } from '../../src/storage/backup.ts'
import { checkStorage } from '../../src/storage/check/check.ts'
import { copyStorage } from '../../src/storage/copy/copy.ts'
import { inspectStorage } from '../../src/storage/inspect.ts'
import { type OpenStorage, openStorage } from '../../src/storage/open.ts'
import { restoreStorage } from '../../src/storage/restore.ts'
import { temporaryFolder } from '../support/engines.ts'

// The files of a SQLite database: which are made, by whom, and with which rights.

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
const environment = 'production'

test('sqlite: nothing opens a log without its database, so that the database can be put back', async (t) => {
  for (const left of ['missing', 'empty'] as const) {
    const { path, url, away } = await crashedShop(t)
    if (left === 'empty') writeFileSync(path, '')
    const before = filesOf(path)
    const sentence = new RegExp(`petstore\\.db is ${left}, but petstore\\.db-wal .*: put the database back`)

    const refused = { name: 'StorageError', message: sentence }
    await assert.rejects(openStorage(url), refused)
    await assert.rejects(openStorage(url, { create: false }), refused)
    await assert.rejects(inspectStorage(url), refused)
    await assert.rejects(backupStorage(url, join(path, '..', 'backup.db')), refused)
    await assert.rejects(Array.fromAsync(checkStorage(url, environment)), refused)
    await assert.rejects(
      copyStorage(url, `${url}.copy`, () => undefined),
      refused,
    )
    await assert.rejects(
      copyStorage(`sqlite:${away}.other`, url, () => undefined),
      refused,
    )
    assert.deepEqual(filesOf(path), before)
    renameSync(away, path)

    assert.equal(await countOf(url), 3n)
  }
})

test('sqlite: a hot journal without its database is kept, too', async (t) => {
  const { path, url } = await crashedShop(t)
  rmSync(`${path}-wal`)
  const journal = Buffer.alloc(512)
  journal.writeUInt32BE(4, 16) // The size of the database before the transaction, in pages.
  writeFileSync(`${path}-journal`, journal)

  await assert.rejects(openStorage(url), { message: /is missing, but petstore\.db-journal / })

  assert.deepEqual(readFileSync(`${path}-journal`), journal)
})

test('sqlite: a first start that was killed leaves an empty file and a journal, and the next start succeeds', async (t) => {
  const path = join(temporaryFolder(t), 'petstore.db')
  writeFileSync(path, '')
  writeFileSync(`${path}-journal`, Buffer.alloc(512))

  assert.equal(await countOf(`sqlite:${path}`), 0n)
})

test('sqlite: a worker neither makes nor migrates a database, and opens no other than the first process has', async (t) => {
  const { storage, path, url } = await openShop(t)
  const { relay } = storage
  assert.ok(relay !== undefined)
  await storage.pets.create(rex)

  renameSync(path, `${path}.away`)
  await assert.rejects(openStorage(url, { relay }), { name: 'StorageError' })
  assert.equal(existsSync(path), false)
  cpSync(`${path}.away`, path)
  await assert.rejects(openStorage(url, { relay }), { message: /^The files of the database were moved/ })
  rmSync(path)
  renameSync(`${path}.away`, path)
  const worker = await openStorage(url, { relay })
  t.after(() => worker.close())

  assert.equal(await worker.pets.count({}), 1n)
})

test('sqlite: a search reads no other file than the one that was opened', async (t) => {
  const { storage, path } = await openShop(t)
  await storage.pets.create(rex)
  const other = await openShop(t)
  await other.storage.close()
  renameSync(path, `${path}.away`)
  cpSync(other.path, path)

  await assert.rejects(storage.pets.list({ name: 'rex' }, 20, 0n), { code: 'unavailable' })
})

test('sqlite: a database that must exist is not made, and one of an older version is not migrated', async (t) => {
  const folder = temporaryFolder(t)

  await assert.rejects(openStorage(`sqlite:${join(folder, 'new', 'shop.db')}`, { create: false }), {
    name: 'StorageError',
    message: /^There is no database \S+shop\.db: petstore serve makes it\.$/,
  })

  assert.deepEqual(readdirSync(folder), [])
})

test('sqlite: a symbolic link to a database works like the database', async (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'disk'))
  const link = join(folder, 'petstore.db')
  symlinkSync(join('disk', 'real.db'), link)
  const url = `sqlite:${link}`

  const storage = await openStorage(url, { environment })
  t.after(() => storage.close())
  await storage.pets.create(rex)
  await storage.check()
  const worker = await openStorage(url, { relay: storage.relay as NonNullable<OpenStorage['relay']> })
  await worker.pets.create(rex)
  await worker.close()
  await backupStorage(url, join(folder, 'backup.db'))
  const results = await Array.fromAsync(checkStorage(url, environment))
  // Another target: this storage has opened the old one, and stays with it.
  rmSync(link)
  symlinkSync('elsewhere.db', link)
  await storage.pets.create(rex)
  await storage.check()
  await storage.close()

  assert.ok(results.every(({ result }) => result !== 'wrong'))
  assert.equal(await countOf(`sqlite:${join(folder, 'disk', 'real.db')}`), 3n)
  assert.equal(await countOf(`sqlite:${join(folder, 'backup.db')}`), 2n)
  await restoreStorage(url, join(folder, 'backup.db'), { environment, overwrite: false })
  assert.equal(await countOf(`sqlite:${join(folder, 'elsewhere.db')}`), 2n)
  assert.deepEqual(readdirSync(join(folder, 'disk')), ['real.db'])
})

test('sqlite: a pipe in place of a database is refused in a sentence, and nobody waits for its bytes', async (t) => {
  if (process.platform === 'win32') return t.skip('there are no named pipes')
  const folder = temporaryFolder(t)
  const path = join(folder, 'pipe.db')
  execFileSync('mkfifo', [path])
  // With another end, an open would not wait.
  const descriptor = openSync(path, 'r+')
  t.after(() => closeSync(descriptor))
  const good = join(folder, 'good.db')
  await (await openStorage(`sqlite:${good}`)).close()
  const url = `sqlite:${path}`

  for (const open of [
    () => openStorage(url),
    () => inspectStorage(url),
    () => Array.fromAsync(checkStorage(url, environment)),
    () => backupStorage(url, join(folder, 'backup.db')),
    () => restoreStorage(url, good, { environment, overwrite: true }),
    () => copyStorage(url, `sqlite:${join(folder, 'to.db')}`, () => undefined),
    () => copyStorage(`sqlite:${good}`, url, () => undefined),
  ]) {
    await assert.rejects(async () => open(), { name: 'StorageError', message: `${path} is not a file.` })
  }
})

test('sqlite: databases, their logs and backups are for their owner alone, and so are new folders', async (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'data', 'shop', 'petstore.db')
  const url = `sqlite:${path}`
  const storage = await openStorage(url, { environment })
  t.after(() => storage.close())
  await storage.pets.create(rex)
  const names = ['data', 'data/shop', 'data/shop/petstore.db', 'data/shop/petstore.db-shm', 'data/shop/petstore.db-wal']

  assert.deepEqual(
    names.map((name) => modeOf(join(folder, name))),
    ['700', '700', '600', '600', '600'],
  )
  const backup = join(folder, 'backup.db')
  await backupStorage(url, backup)
  await restoreStorage(`sqlite:${join(folder, 'restored.db')}`, backup, { environment, overwrite: false })
  await storage.close()
  await copyStorage(url, `sqlite:${join(folder, 'copy.db')}`, () => undefined)
  for (const name of ['backup.db', 'restored.db', 'copy.db']) assert.equal(modeOf(join(folder, name)), '600', name)
})

async function openShop(t: TestContext) {
  const path = join(temporaryFolder(t), 'petstore.db')
  const url = `sqlite:${path}`
  const storage = await openStorage(url, { environment })
  t.after(() => storage.close())
  return { storage, path, url }
}

/** The log of a killed service with three pets, whose database was moved to `away`; and another database beside that. */
async function crashedShop(t: TestContext) {
  const { storage, path } = await openShop(t)
  await storage.pets.create(rex)
  await storage.pets.create(rex)
  await storage.pets.create(rex)
  const copy = join(temporaryFolder(t), 'petstore.db')
  const away = `${copy}.away`
  cpSync(path, away)
  for (const ending of ['-wal', '-shm']) cpSync(path + ending, copy + ending)
  await (await openStorage(`sqlite:${away}.other`)).close()
  return { path: copy, url: `sqlite:${copy}`, away }
}

/** The database and its logs, with their contents. */
function filesOf(path: string): string[] {
  const files = ['', '-wal', '-shm', '-journal'].map((ending) => path + ending).filter((file) => existsSync(file))
  return files.map((file) => `${file} ${hash('sha256', readFileSync(file))}`)
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

async function countOf(url: string): Promise<bigint> {
  const storage = await openStorage(url)
  try {
    return await storage.pets.count({})
  } finally {
    await storage.close()
  }
}
