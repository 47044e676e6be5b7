import assert from 'node:assert/strict'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { temporaryFolder } from '../support/engines.ts'

// SQLite's log, deleted under a running service: what was acknowledged must survive it.

const rex = { name: 'Rex', categoryId: 1n } as const

async function openShop(t: TestContext) {
  const path = join(temporaryFolder(t), 'petstore.db')
  const reports: (string | undefined)[] = []
  const storage = await openStorage(`sqlite:${path}`, { report: (problem) => reports.push(problem) })
  t.after(() => storage.close())
  for (let count = 0; count < 20; count++) await storage.pets.create(rex)
  return { storage, path, reports }
}

/** The animals that a start finds after a kill: in a copy of the files as they are now. */
async function countAfterKill(t: TestContext, path: string, endings = ['', '-wal', '-shm']): Promise<bigint> {
  const copy = join(temporaryFolder(t), 'petstore.db')
  for (const ending of endings) cpSync(path + ending, copy + ending, { force: true, errorOnExist: false })
  const storage = await openStorage(`sqlite:${copy}`)
  t.after(() => storage.close())
  return storage.pets.count({})
}

const saved = /was saved: everything that was stored is in \S+petstore\.db now\. Restart the service\.$/

test('sqlite: a write notices that the log was deleted, and saves what only the log had', async (t) => {
  const { storage, path, reports } = await openShop(t)

  rmSync(`${path}-wal`)
  await assert.rejects(storage.pets.create(rex), { code: 'unavailable', mayHaveSucceeded: true })
  await assert.rejects(storage.pets.create(rex), { code: 'unavailable', mayHaveSucceeded: false })

  assert.equal(reports.length, 1)
  assert.match(reports[0] ?? '', saved)
  assert.equal(await countAfterKill(t, path, ['', '-shm']), 21n)
})

test('sqlite: a readiness check notices it, too', async (t) => {
  const { storage, path, reports } = await openShop(t)

  rmSync(`${path}-wal`)
  rmSync(`${path}-shm`)
  await assert.rejects(storage.check(), { code: 'unavailable' })

  assert.match(reports[0] ?? '', saved)
  assert.equal(await countAfterKill(t, path, ['']), 20n)
})

test('sqlite: a stop saves what only a deleted log had, and says so', async (t) => {
  const { storage, path, reports } = await openShop(t)

  rmSync(`${path}-wal`)
  await storage.close()

  assert.match(reports[0] ?? '', saved)
  const after = await openStorage(`sqlite:${path}`)
  t.after(() => after.close())
  assert.equal(await after.pets.count({}), 20n)
  assert.equal((await after.pets.create(rex)).outcome, 'created')
})

test('sqlite: a log in whose place another file is, is not moved into the database, and nobody is told to restart', async (t) => {
  const { storage, path, reports } = await openShop(t)

  rmSync(`${path}-wal`)
  writeFileSync(`${path}-wal`, 'the log of another program')
  await assert.rejects(storage.pets.create(rex), { code: 'unavailable' })

  assert.match(
    reports[0] ?? '',
    /Put them back\. If they are gone, export the shop from this service before you stop it/,
  )
  // It can still be read.
  assert.equal(await storage.pets.count({}), 21n)
})

test('sqlite: a start refuses a database whose log was deleted, if the index of the log tells', async (t) => {
  const { path } = await openShop(t)

  await assert.rejects(countAfterKill(t, path, ['', '-shm']), {
    name: 'StorageError',
    message:
      /^The log \S+petstore\.db-wal was deleted, and \d+ changed pages in it are not in the database: put the log back/,
  })
  assert.equal(await countAfterKill(t, path), 20n)
})
