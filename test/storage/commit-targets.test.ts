import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { threadCommitter } from '../../src/storage/sqlite/writes/commit-targets.ts'
import { openForReading } from '../../src/storage/sqlite/connection/database.ts'
import { latestSchema } from '../../src/storage/sqlite/schema/migrate.ts'
import { sqlite, temporaryFolder } from '../support/engines.ts'

test('a writer thread that ends fails its group and is replaced for the next', async (t) => {
  const path = join(temporaryFolder(t), 'petstore.db')
  await (await openStorage(`sqlite:${path}`)).close()
  const committer = await threadCommitter({ path, schema: latestSchema(), lockTimeoutMs: 100 })
  // As in a service: the last connection to a database takes its log with it.
  const reader = openForReading(path)
  t.after(() => {
    reader.close()
    return committer.close()
  })

  const noGroup = undefined as never // The thread throws on it, and ends.
  await assert.rejects(committer.commit(noGroup))
  const results = await committer.commit([['revokeKey', { id: 'nobody', at: 0 }]])

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
