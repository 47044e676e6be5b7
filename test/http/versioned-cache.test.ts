import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { versionedCache } from '../../src/http/cache/versioned-cache.ts'

function countedCache() {
  const storage = { version: 1 }
  const cache = versionedCache(() => storage.version)
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
    cache.refresh()
  }

  assert.equal(section.get('key'), undefined)
})

test('after a commit, outdated entries are dropped', () => {
  const { storage, cache, section } = countedCache()
  cache.refresh()
  section.reading()('key', 'before')

  storage.version = 2
  cache.refresh()

  assert.equal(section.get('key'), undefined)
})

test('a value read before a commit is not cached after it', () => {
  const { storage, cache, section } = countedCache()
  cache.refresh()
  const keep = section.reading()

  storage.version = 2
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
