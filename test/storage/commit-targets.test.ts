import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { Storage } from '../../src/inventory/storage.ts'
import { type OpenStorage, openStorage } from '../../src/storage/open.ts'
import type { ThreadRelay } from '../../src/storage/shared/writes/relay.ts'
import { portCommitter, threadCommitter } from '../../src/storage/sqlite/writes/commit-targets.ts'
import { isBusy, type WriteRequest, type WriteResult } from '../../src/storage/sqlite/writes/writes.ts'
import { openForReading } from '../../src/storage/sqlite/connection/database.ts'
import { latestSchema } from '../../src/storage/sqlite/schema/migrate.ts'
import { sqlite, temporaryFolder } from '../support/engines.ts'
import { until } from '../support/until.ts'

const noGroup = undefined as never // The thread throws on it, and ends.
const revoke: readonly WriteRequest[] = [['revokeKey', { id: 'nobody', at: 0 }]]

async function openCommitter(
  t: TestContext,
  { path = join(temporaryFolder(t), 'petstore.db'), lockTimeoutMs = 100 } = {},
) {
  await (await openStorage(`sqlite:${path}`)).close()
  const committer = await threadCommitter({ path, schema: latestSchema(), lockTimeoutMs })
  // As in a service: the last connection to a database takes its log with it.
  const reader = openForReading(path)
  t.after(() => {
    reader.close()
    return committer.close()
  })
  return committer
}

/** The end of a writer thread is noticed a moment later. */
async function untilStored(commit: () => Promise<WriteResult[]>): Promise<WriteResult[] | undefined> {
  let results: WriteResult[] | undefined
  await until(async () => (results = await commit().catch(() => undefined)) !== undefined)
  return results
}

test('a writer thread that ends fails its group and is replaced for the next', async (t) => {
  const committer = await openCommitter(t)

  await assert.rejects(committer.commit(noGroup))
  const results = await committer.commit(revoke)

  assert.deepEqual(results, [{ value: { outcome: 'missing' } }])
})

test('a writer thread that has closed its database serves the next one', async (t) => {
  const started: unknown[] = []
  const count = (thread: unknown) => started.push(thread)
  const first = await sqlite.open(t)
  await first.pets.create({ name: 'Rex', categoryId: 1n })
  await Promise.all([first.close(), first.close()])
  process.on('worker', count)
  t.after(() => process.off('worker', count))

  const second = await sqlite.open(t)
  await second.pets.create({ name: 'Tom', categoryId: 1n })

  const { items } = await second.pets.list({}, 20, 0n)
  assert.deepEqual(
    items.map(({ name }) => name),
    ['Tom'],
  )
  assert.equal(started.length, 0)
})

test('a writer thread that ends while it is idle is not used for the next database', async (t) => {
  const threads: Worker[] = []
  const remember = (thread: Worker) => threads.push(thread)
  process.on('worker', remember)
  t.after(() => process.off('worker', remember))
  const shops: Storage[] = []
  while (threads.length === 0) shops.push(await sqlite.open(t))
  for (const shop of shops) await shop.close()
  for (const thread of threads) await thread.terminate()

  for (const _ of shops) {
    const { pets } = await sqlite.open(t)
    await pets.create({ name: 'Tom', categoryId: 1n })
    assert.equal(await pets.count({}), 1n)
  }
})

test('another thread commits by a port, and by the next writer thread when one has ended', async (t) => {
  const committer = await openCommitter(t)
  const byPort = portCommitter(committer.connect)
  t.after(() => byPort.close())
  const missing = [{ value: { outcome: 'missing' } }]
  assert.deepEqual(await byPort.commit(revoke), missing)

  await assert.rejects(committer.commit(noGroup))
  const results = await untilStored(() => byPort.commit(revoke))
  committer.disconnect()
  const afterwards = await untilStored(() => byPort.commit(revoke))

  assert.deepEqual([results, afterwards], [missing, missing])
})

test('groups that two threads send at once get their own results', async (t) => {
  const committer = await openCommitter(t)
  const byPort = portCommitter(committer.connect)
  t.after(() => byPort.close())
  await byPort.commit(revoke)
  const probe: readonly WriteRequest[] = [['probe', undefined]]

  const all = await Promise.all([
    byPort.commit([...revoke, ...revoke]),
    committer.commit(probe),
    committer.commit(revoke),
  ])

  const missing = { value: { outcome: 'missing' } }
  assert.deepEqual(all, [[missing, missing], [{ value: undefined }], [missing]])
})

test('who commits by a port does not wait long for a lock: the first thread would wait behind it', async (t) => {
  const path = join(temporaryFolder(t), 'petstore.db')
  const committer = await openCommitter(t, { path, lockTimeoutMs: 60_000 })
  const byPort = portCommitter(committer.connect)
  t.after(() => byPort.close())
  await byPort.commit(revoke)
  const other = new DatabaseSync(path)
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  const release = setTimeout(() => other.exec('ROLLBACK'), 20_000)
  t.after(() => clearTimeout(release))

  const [result] = await byPort.commit(revoke)

  assert.ok(result !== undefined && isBusy(result))
  const byFirstThread = committer.commit(revoke)
  await wait(100)
  other.exec('ROLLBACK')
  assert.deepEqual(await byFirstThread, [{ value: { outcome: 'missing' } }])
})

test('who commits by a port commits nothing after the end of the storage', async (t) => {
  const storage: OpenStorage = await openStorage(await sqlite.url(t))
  const byPort = portCommitter((port) => (storage.relay as ThreadRelay).connect(port))
  t.after(() => byPort.close())
  await byPort.commit(revoke)

  await storage.close()

  // Another database has the writer thread now.
  await sqlite.open(t)
  await assert.rejects(byPort.commit(revoke))
  await assert.rejects(byPort.commit(revoke), /The storage is closed/)
})

test('nobody commits by a port after damage', async (t) => {
  const storage: OpenStorage = await openStorage(await sqlite.url(t))
  const relay = storage.relay as ThreadRelay
  t.after(() => storage.close())
  const byPort = portCommitter((port) => relay.connect(port))
  t.after(() => byPort.close())
  await byPort.commit(revoke)

  await relay.foundDamage('a page is malformed')

  const isRefused = () =>
    byPort.commit(revoke).then(
      () => false,
      ({ message }: Error) => message.includes('a page is malformed'),
    )
  await until(isRefused)
  assert.ok(await isRefused())
})
