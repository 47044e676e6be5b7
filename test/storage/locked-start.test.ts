import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { DatabaseLocked } from '../../src/storage/sqlite/connection/errors.ts'
import { lockDatabase } from '../../src/storage/sqlite/connection/lock-database.ts'
import { whileLocked } from '../../src/storage/sqlite/connection/while-locked.ts'
import { latestSchema } from '../../src/storage/sqlite/schema/migrate.ts'
import { threadCommitter } from '../../src/storage/sqlite/writes/commit-targets.ts'
import { temporaryFolder } from '../support/engines.ts'
import { nextVersion } from '../support/next-version.ts'

const isLocked = (path: string) => `The database ${path} is locked by another program.`

for (const [what, isMade] of Object.entries({ 'an empty database': false, 'a database': true })) {
  test(`sqlite: a start waits until another process ends its lock on ${what}, and says so once`, async (t) => {
    const { path, holder } = await locked(t, isMade)
    const reports: (string | undefined)[] = []
    // The first attempt to open it blocks the event loop: it fails before this happens.
    setImmediate(() => holder.close())

    const storage = await openStorage(`sqlite:${path}`, {
      lockTimeoutMs: 20,
      report: (problem) => reports.push(problem),
    })
    t.after(() => storage.close())

    await storage.pets.create({ name: 'Rex', categoryId: 1n })
    assert.deepEqual(reports, [`${isLocked(path)} The start waits for it.`])
  })
}

test('sqlite: a start waits for another process that migrates the database', async (t) => {
  const { path, holder } = await locked(t, true)
  const { openStorage: openNext } = await nextVersion()
  setImmediate(() => holder.close())

  const storage = await openNext(`sqlite:${path}`, { lockTimeoutMs: 20 })
  t.after(() => storage.close())

  await storage.check()
})

test('sqlite: a writer thread that finds the database locked says so', async (t) => {
  const { path } = await locked(t, true)

  const starting = threadCommitter({ path, schema: latestSchema(), lockTimeoutMs: 20 })

  await assert.rejects(starting, (error) => error instanceof DatabaseLocked && error.message === isLocked(path))
})

test('sqlite: a start does not wait for ever', async () => {
  const work = () => {
    throw new DatabaseLocked('It is locked.')
  }

  await assert.rejects(whileLocked(work, { timeoutMs: 100 }), { message: 'It is locked.' })
})

test('sqlite: a start that fails for another reason is not repeated', async () => {
  let tries = 0

  await assert.rejects(
    whileLocked(() => {
      tries++
      throw new Error('It is damaged.')
    }),
    { message: 'It is damaged.' },
  )

  assert.equal(tries, 1)
})

/** A database that another connection has locked until it is closed, empty unless `isMade`. */
async function locked(t: TestContext, isMade: boolean): Promise<{ path: string; holder: DatabaseSync }> {
  const path = join(temporaryFolder(t), 'petstore.db')
  if (isMade) await (await openStorage(`sqlite:${path}`)).close()
  else new DatabaseSync(path).close()
  const holder = lockDatabase(path, 'test', 1_000) as DatabaseSync
  t.after(() => {
    if (holder.isOpen) holder.close()
  })
  return { path, holder }
}
