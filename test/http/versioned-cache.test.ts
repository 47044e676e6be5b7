import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { eventBatch, versionedCache } from '../../src/http/cache/versioned-cache.ts'

function countedCache() {
  const storage = { version: 1, asked: 0, batch: 1 }
  const cache = versionedCache(
    () => {
      storage.asked++
      return storage.version
    },
    () => storage.batch,
  )
  storage.asked = 0
  return { storage, cache, section: cache.section<string>('pages', 1_000, ({ length }) => length) }
}

test('the cache does not hold a section that nobody uses any more', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { cache } = countedCache()
  const open = () => {
    const shop = { animals: [1] }
    const section = cache.section<string>('keys', 10, () => shop.animals.length)
    section.reading()('key', 'value')
    return new WeakRef(shop)
  }
  const shop = open()

  // A WeakRef holds its target until the end of the tick.
  await immediate()
  collect()

  assert.equal(shop.deref(), undefined)
})

test('an entry stays void if the storage returns to the version that it had', () => {
  const { storage, cache, section } = countedCache()
  cache.refresh()
  section.reading()('key', 'before')

  for (const version of [2, 1]) {
    storage.version = version
    storage.batch++
    cache.refresh()
  }

  assert.equal(section.get('key'), undefined)
})

test('requests of one batch ask the storage once for its version', () => {
  const { storage, cache, section } = countedCache()

  for (let request = 0; request < 50; request++) {
    cache.refresh()
    section.reading()(`${request}`, 'page')
  }

  assert.equal(storage.asked, 1)
  assert.equal(section.get('49'), 'page')
})

test('the next batch asks the storage again and drops outdated entries', () => {
  const { storage, cache, section } = countedCache()
  cache.refresh()
  section.reading()('key', 'before')

  storage.version = 2
  storage.batch = 2
  cache.refresh()

  assert.equal(storage.asked, 2)
  assert.equal(section.get('key'), undefined)
})

test('a request that may have been sent later than those before it in its batch asks the storage again', () => {
  const { storage, cache, section } = countedCache()
  cache.refresh()
  section.reading()('key', 'before')

  storage.version = 2
  cache.refresh(storage.batch)

  assert.equal(section.get('key'), undefined)
})

test('a request whose connection may have sent other bytes in its batch asks the storage again', () => {
  const { storage, cache, section } = countedCache()
  cache.refresh()
  section.reading()('key', 'before')

  storage.version = 2
  cache.refresh('unknown')

  assert.equal(section.get('key'), undefined)
})

test('a value read before a commit is not cached after it', () => {
  const { storage, cache, section } = countedCache()
  cache.refresh()
  const keep = section.reading()

  storage.version = 2
  storage.batch = 2
  cache.refresh()
  keep('key', 'before')

  assert.equal(section.get('key'), undefined)
})

test('nothing is cached for a storage without versions', () => {
  const cache = versionedCache(() => Number.NaN)
  const section = cache.section<string>('pages', 1_000, ({ length }) => length)

  cache.refresh()
  section.reading()('key', 'page')

  assert.equal(section.get('key'), undefined)
  assert.deepEqual(cache.stats(), [{ name: 'pages', hits: 0, misses: 0 }])
})

test('sockets that are ready together form one batch', async (t) => {
  const batches: number[] = []
  const server = createServer((socket) => socket.on('data', () => batches.push(eventBatch()))).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const clients: Socket[] = []
  for (let count = 0; count < 3; count++) {
    const accepted = once(server, 'connection')
    clients.push(connect(port, '127.0.0.1'))
    await accepted
  }
  await immediate()

  for (const client of clients) client.write('x')
  const before = eventBatch()
  while (batches.length < 3) await immediate()
  const after = eventBatch()
  clients.forEach((client) => client.destroy())

  assert.equal(new Set(batches).size, 1)
  assert.equal(new Set([before, ...batches, after]).size, 3)
})
