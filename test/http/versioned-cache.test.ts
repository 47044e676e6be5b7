import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { versionedCache } from '../../src/http/cache/versioned-cache.ts'

function countedCache() {
  const storage = { version: 1, asked: 0 }
  const cache = versionedCache(() => {
    storage.asked++
    return storage.version
  })
  storage.asked = 0
  return { storage, cache, section: cache.section<string>(1_000, ({ length }) => length) }
}

test('requests that arrived together ask the storage once for its version', () => {
  const { storage, cache, section } = countedCache()

  for (let request = 0; request < 50; request++) {
    cache.refresh()
    section.reading()(`${request}`, 'page')
  }

  assert.equal(storage.asked, 1)
  assert.equal(section.get('49'), 'page')
})

test('the next turn of the event loop asks the storage again, and forgets what was changed', async () => {
  const { storage, cache, section } = countedCache()
  cache.refresh()
  section.reading()('key', 'before')

  storage.version = 2
  await nextTurn()
  cache.refresh()

  assert.equal(storage.asked, 2)
  assert.equal(section.get('key'), undefined)
})

test('a request that may have been sent later than those before it in its turn asks the storage again', () => {
  const { storage, cache, section } = countedCache()
  cache.refresh()
  section.reading()('key', 'before')

  storage.version = 2
  cache.expire()
  cache.refresh()

  assert.equal(section.get('key'), undefined)
})

test('no more than a hundred requests rely on one answer of the storage', () => {
  const { storage, cache } = countedCache()

  for (let request = 0; request < 1_000; request++) cache.refresh()

  assert.ok(storage.asked >= 9)
})

test('a value that is more than a quarter of the bound is not kept, and displaces none', () => {
  const { cache, section } = countedCache()
  cache.refresh()

  section.reading()('small', 'x'.repeat(250))
  section.reading()('large', 'x'.repeat(251))
  section.reading()('huge', 'x'.repeat(5_000))

  assert.deepEqual(
    [section.get('small')?.length, section.get('large'), section.get('huge')],
    [250, undefined, undefined],
  )
})

test('nothing is kept of a storage that cannot tell its version', () => {
  const cache = versionedCache(() => Number.NaN)
  const section = cache.section<string>(1_000, ({ length }) => length)

  cache.refresh()
  section.reading()('key', 'page')

  assert.equal(section.get('key'), undefined)
})
