import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { backupStorage } from '../../src/storage/backup.ts'
import { openStorage } from '../../src/storage/open.ts'
import { restoreStorage } from '../../src/storage/restore.ts'
import { writeAtomically } from '../../src/storage/shared/atomic-file.ts'
import { refuseLogAlone } from '../../src/storage/sqlite/connection/create-file.ts'
import { replaceDatabase } from '../../src/storage/sqlite/upkeep/replace-database.ts'
import { temporaryFolder } from '../support/engines.ts'

const rex = { name: 'Rex', categoryId: 1n } as const
const environment = 'production'

test('a restore never replaces a database that a service makes meanwhile', async (t) => {
  const { folder, backup } = await shopAndBackup(t)
  const path = join(folder, 'new', 'petstore.db')
  const startService = async () => {
    const service = await openStorage(`sqlite:${path}`, { environment })
    t.after(() => service.close())
    for (let count = 0; count < 5; count++) await service.pets.create(rex)
  }

  await assert.rejects(replaceDatabase(path, backup, false, startService), {
    name: 'StorageError',
    message: `The database ${path} was made meanwhile: stop the service, then restore with --overwrite.`,
  })

  assert.deepEqual(readdirSync(join(folder, 'new')).toSorted(), ['petstore.db', 'petstore.db-shm', 'petstore.db-wal'])
  cpSync(join(folder, 'new'), join(folder, 'killed'), { recursive: true })
  assert.equal(await countOf(join(folder, 'killed', 'petstore.db')), 5n)
})

test('a restore beside the log of a lost database needs --overwrite, and keeps the log', async (t) => {
  for (const left of ['missing', 'empty']) {
    const { folder, backup, killed } = await shopAndBackup(t)
    const path = join(folder, 'petstore.db')
    cpSync(`${killed}-wal`, `${path}-wal`)
    if (left === 'empty') writeFileSync(path, '')
    const log = readFileSync(`${path}-wal`)

    await assert.rejects(restoreStorage(`sqlite:${path}`, backup, { environment, overwrite: false }), {
      message: /petstore\.db is lost, but \S+petstore\.db-wal has changes for it: put the database back, or use --over/,
    })
    assert.deepEqual(readFileSync(`${path}-wal`), log)
    const { previous } = await restoreStorage(`sqlite:${path}`, backup, { environment, overwrite: true })

    assert.deepEqual(Object.keys(previous), [left === 'empty' ? 'database' : 'log'])
    assert.deepEqual(readFileSync(previous.log ?? `${previous.database}-wal`), log)
    assert.equal(await countOf(path), 1n)
  }
})

test('a start beside another first start is not refused because its journal comes and goes', async (t) => {
  const path = join(temporaryFolder(t), 'petstore.db')
  writeFileSync(path, '')
  const rounds = new Int32Array(new SharedArrayBuffer(4))
  const other = new Worker(
    `const { rmSync, writeFileSync } = require('node:fs')
     const { path, rounds } = require('node:worker_threads').workerData
     while (Atomics.add(rounds, 0, 1) < 500) {
       writeFileSync(path + '-journal', Buffer.alloc(512))
       rmSync(path + '-journal')
     }`,
    { eval: true, workerData: { path, rounds } },
  )

  while (Atomics.load(rounds, 0) < 500) refuseLogAlone(path)

  await other.terminate()
})

test('of two backups to one file at once, one is made and the other is refused in a sentence', async (t) => {
  const { folder, killed } = await shopAndBackup(t)
  const file = join(folder, 'both.db')

  const results = await Promise.allSettled([1, 2, 3].map(() => backupStorage(`sqlite:${killed}`, file, environment)))

  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as Error).message] : []))
  assert.deepEqual(refusals, Array(2).fill(`${file} exists already: name a new file for the backup.`))
  assert.equal(await countOf(file), 2n)
  assert.deepEqual(readdirSync(folder).toSorted(), ['backup.db', 'both.db'])
})

test('a file that is written anew removes what killed processes left of it, and nothing of others', async (t) => {
  const folder = temporaryFolder(t)
  const dead = 999_999_999 // More than any process id.
  const untouched = [`other.csv.partial-${dead}-a`, `animals.csv.partial-${process.pid}-a`, 'animals.csv.partial']
  for (const name of untouched) writeFileSync(join(folder, name), '')
  for (const ending of ['', '-journal']) writeFileSync(join(folder, `animals.csv.partial-${dead}-a${ending}`), '')

  await writeAtomically(join(folder, 'animals.csv'), async (partial) => writeFileSync(partial, 'name\n'))

  assert.deepEqual(readdirSync(folder).toSorted(), [...untouched, 'animals.csv'].toSorted())
})

/** A backup with one pet, and a database of a killed service, which has a second one in its log. */
async function shopAndBackup(t: TestContext): Promise<{ folder: string; backup: string; killed: string }> {
  const folder = temporaryFolder(t)
  const [path, killed] = [join(temporaryFolder(t), 'petstore.db'), join(temporaryFolder(t), 'petstore.db')]
  const storage = await openStorage(`sqlite:${path}`, { environment })
  t.after(() => storage.close())
  await storage.pets.create(rex)
  const backup = join(folder, 'backup.db')
  await backupStorage(`sqlite:${path}`, backup)
  await storage.pets.create(rex)
  for (const ending of ['', '-wal', '-shm']) cpSync(path + ending, killed + ending)
  return { folder, backup, killed }
}

async function countOf(path: string): Promise<bigint> {
  const storage = await openStorage(`sqlite:${path}`)
  try {
    return await storage.pets.count({})
  } finally {
    await storage.close()
  }
}
