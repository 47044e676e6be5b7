import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LineageRow, openLineageCache, type PageRead } from '../../src/storage/shared/reads/lineage.ts'

/** The lineages `old`, which ended at event 17, and `new`, with 25 events; `asked` is one of them, or none. */
function rowFor(asked: 'old' | 'new' | null): LineageRow {
  return ['new', 25n, asked, asked === 'old' ? 17n : null]
}

function pageAfter(id: bigint, lineage?: string, last?: bigint): PageRead {
  return { after: { id, lineage }, last }
}

test('an empty cache accepts only the start of a list', () => {
  const cache = openLineageCache()

  assert.deepEqual(cache.recall(pageAfter(0n)), { isLost: false, lineage: undefined })
  assert.equal(cache.recall(pageAfter(1n)), undefined)
  assert.equal(cache.recall(pageAfter(0n, undefined, 20n)), undefined)
})

test('a cache asks once for ids up to the highest known one', () => {
  const cache = openLineageCache()
  cache.learn(pageAfter(0n), rowFor(null))

  assert.deepEqual(cache.recall(pageAfter(5n, 'new', 25n)), { isLost: false, lineage: 'new' })
  assert.deepEqual(cache.recall(pageAfter(25n)), { isLost: false, lineage: undefined })
  assert.equal(cache.recall(pageAfter(5n, 'new', 26n)), undefined)
  assert.equal(cache.recall(pageAfter(26n, 'new')), undefined)
})

test('an ended lineage contains the ids up to its end', () => {
  const cache = openLineageCache()

  assert.deepEqual(cache.learn(pageAfter(17n, 'old', 25n), rowFor('old')), { isLost: false, lineage: 'new' })
  assert.deepEqual(cache.recall(pageAfter(18n, 'old')), { isLost: true, lineage: undefined })
  assert.deepEqual(cache.recall(pageAfter(17n, 'old', 20n)), { isLost: false, lineage: 'new' })
})

test('an unknown lineage is lost, and so is an id that was never assigned', () => {
  const cache = openLineageCache()

  assert.equal(cache.learn(pageAfter(1n, 'other'), rowFor(null)).isLost, true)
  assert.equal(cache.learn(pageAfter(26n, 'new'), rowFor('new')).isLost, true)
  assert.equal(cache.learn(pageAfter(26n), rowFor(null)).isLost, true)
})

test('an outdated cache is still right for the ids that it knows', () => {
  const cache = openLineageCache()
  cache.learn(pageAfter(0n), ['old', 17n, null, null])

  assert.deepEqual(cache.recall(pageAfter(5n, 'old', 17n)), { isLost: false, lineage: 'old' })
  assert.equal(cache.recall(pageAfter(18n, 'old')), undefined)
  assert.equal(cache.learn(pageAfter(18n, 'old'), rowFor('old')).isLost, true)
})
