import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Storage } from '../../src/inventory/storage.ts'
import { checkStorage } from '../../src/storage/check/check.ts'
import { openStorage } from '../../src/storage/open.ts'
import { openSource } from '../../src/storage/postgres/upkeep/snapshot.ts'
import { newPostgresDatabase } from '../support/postgres-databases.ts'
import { type Proxy, startProxy } from '../support/proxy.ts'
import { assertWithin } from '../support/promised-time.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
/** By when a request is answered, whatever the database does, in milliseconds. */
const answerTimeoutMs = 3_000
/** What a connection sends first once it is logged in. */
const firstStatement = 'SET statement_timeout'
/** The message with which a client ends a connection. */
const terminate = Buffer.from('X\0\0\0\x04')

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

test('postgres: a start waits for a server that takes longer to accept a connection than a request may wait', async (t) => {
  const url = new URL(await newPostgresDatabase())
  const proxy = await startProxy(t, Number(url.port))
  url.port = String(proxy.port)
  const answer = Promise.withResolvers<void>()
  proxy.delay = answer.promise

  const opening = openStorage(url.href)
  setTimeout(answer.resolve, 2_000)
  const storage = await opening
  t.after(() => storage.close())

  assert.equal(await storage.pets.count({}), 0n)
})

// PostgreSQL logs a connection that ends in a transaction without a word.
const transactions: Record<string, (url: string) => Promise<unknown>> = {
  'a check': (url) => Array.fromAsync(checkStorage(url, 'production')),
  'a check that refuses the database': (url) => assert.rejects(Array.fromAsync(checkStorage(url, 'staging'))),
  'the source of a copy': async (url) => (await openSource(url)).close(),
  'a storage whose import is not complete': async (url) => {
    const storage = await openStorage(url)
    const closed = Promise.withResolvers<void>()
    const staged = Promise.withResolvers<void>()
    async function* parts() {
      yield [rex]
      staged.resolve()
      await closed.promise
    }
    const adding = storage.imports.add(parts())
    await staged.promise
    await storage.close()
    closed.resolve()
    await assert.rejects(adding, { code: 'unavailable' })
  },
}

for (const [name, use] of Object.entries(transactions)) {
  test(`postgres: ${name} ends its connection properly`, async (t) => {
    const { proxy, url } = await openBehindProxy(t, 'production')
    let opened = 0
    let ended = 0
    proxy.watch = (bytes) => {
      if (bytes.includes('application_name')) opened++
      if (bytes.subarray(-terminate.length).equals(terminate)) ended++
      return true
    }

    await use(url)

    assert.ok(opened > 0)
    assert.equal(ended, opened)
  })
}

/** A storage with one pet whose connections for reading are still to be made. */
async function openBehindProxy(
  t: TestContext,
  environment?: 'production',
): Promise<{ storage: Storage; proxy: Proxy; url: string }> {
  const url = new URL(await newPostgresDatabase())
  const proxy = await startProxy(t, Number(url.port))
  url.port = String(proxy.port)
  const storage = await openStorage(url.href, { environment })
  t.after(() => storage.close())
  await storage.pets.create(rex)
  return { storage, proxy, url: url.href }
}
