import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { newPostgresDatabase } from '../support/postgres-databases.ts'
import { type Proxy, startProxy } from '../support/proxy.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
/** By when a request is answered, whatever the database does, in milliseconds. */
const answerTimeoutMs = 3_000
/** What a connection sends first once it is logged in. */
const firstStatement = 'SET statement_timeout'

test('postgres: a connection that freezes after its login blocks no read', async (t) => {
  const { storage, proxy } = await openBehindProxy(t)
  let frozen = 0
  proxy.watch = (bytes) => !bytes.includes(firstStatement) || ++frozen > 1

  const reads = [storage.pets.find(1n), storage.pets.list({}, 20, 0n), storage.keys.find('hash'), storage.check()]
  await assertWithin(answerTimeoutMs, Promise.all(reads))

  assert.ok(frozen >= 2, 'no connection was frozen')
  assert.deepEqual(await storage.pets.find(1n), { id: 1n, ...rex })
})

test('postgres: if every connection freezes after its login, reads are unavailable in time', async (t) => {
  const { storage, proxy } = await openBehindProxy(t)
  proxy.watch = (bytes) => !bytes.includes(firstStatement)

  for (let round = 0; round < 2; round++) {
    const reads = [storage.pets.find(1n), storage.pets.list({}, 20, 0n), storage.keys.find('hash'), storage.check()]
    await assertWithin(answerTimeoutMs, Promise.all(reads.map((read) => assert.rejects(read, { code: 'unavailable' }))))
  }
  proxy.watch = () => true

  assert.deepEqual(await storage.pets.find(1n), { id: 1n, ...rex })
})

/** A storage with one pet whose connections for reading are still to be made. */
async function openBehindProxy(t: TestContext): Promise<{ storage: Storage; proxy: Proxy }> {
  const url = new URL(await newPostgresDatabase())
  const proxy = await startProxy(t, Number(url.port))
  url.port = String(proxy.port)
  const storage = await openStorage(url.href)
  t.after(() => storage.close())
  await storage.pets.create(rex)
  return { storage, proxy }
}

async function assertWithin(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const started = performance.now()
  await work
  const took = performance.now() - started
  assert.ok(took < milliseconds, `it took ${took} ms`)
}
