import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LineageRow, openLineage, type PageRead } from '../../src/storage/shared/reads/lineage.ts'

/** The histories `old`, which ended at pet 17, and `new`, with 25 pets; `asked` is one of them, or none. */
function told(asked: 'old' | 'new' | null): LineageRow {
  const ends: [bigint, bigint, bigint] | [null, null, null] = asked === 'old' ? [17n, 3n, 40n] : [null, null, null]
  return ['new', 25n, 5n, 60n, asked, ...ends]
}

function pageAfter(id: bigint, history?: string, last?: bigint): PageRead {
  return { kind: 'pets', after: { id, history }, last }
}

test('an empty lineage accepts only the start of a list', () => {
  const lineage = openLineage()

  assert.deepEqual(lineage.recall(pageAfter(0n)), { isLost: false, history: undefined })
  assert.equal(lineage.recall(pageAfter(1n)), undefined)
  assert.equal(lineage.recall(pageAfter(0n, undefined, 20n)), undefined)
})

test('a lineage asks once for ids up to the highest known one', () => {
  const lineage = openLineage()
  lineage.learn(pageAfter(0n), told(null))

  assert.deepEqual(lineage.recall(pageAfter(5n, 'new', 25n)), { isLost: false, history: 'new' })
  assert.deepEqual(lineage.recall(pageAfter(25n)), { isLost: false, history: undefined })
  assert.equal(lineage.recall(pageAfter(5n, 'new', 26n)), undefined)
  assert.equal(lineage.recall(pageAfter(26n, 'new')), undefined)
})

test('an ended history contains the ids up to its end', () => {
  const lineage = openLineage()

  assert.deepEqual(lineage.learn(pageAfter(17n, 'old', 25n), told('old')), { isLost: false, history: 'new' })
  assert.deepEqual(lineage.recall(pageAfter(18n, 'old')), { isLost: true, history: undefined })
  assert.deepEqual(lineage.recall(pageAfter(17n, 'old', 20n)), { isLost: false, history: 'new' })
})

test('each kind of id has its own end', () => {
  const lineage = openLineage()
  lineage.learn(pageAfter(1n, 'old'), told('old'))

  assert.deepEqual(lineage.recall({ kind: 'orders', after: { id: 4n, history: 'old' }, last: undefined }), {
    isLost: true,
    history: undefined,
  })
  assert.deepEqual(lineage.recall({ kind: 'events', after: { id: 40n, history: 'old' }, last: 60n }), {
    isLost: false,
    history: 'new',
  })
})

test('an unknown history is lost, and so is an id that was never assigned', () => {
  const lineage = openLineage()

  assert.equal(lineage.learn(pageAfter(1n, 'other'), told(null)).isLost, true)
  assert.equal(lineage.learn(pageAfter(26n, 'new'), told('new')).isLost, true)
  assert.equal(lineage.learn(pageAfter(26n), told(null)).isLost, true)
})

test('an outdated lineage is still right for the ids that it knows', () => {
  const lineage = openLineage()
  lineage.learn(pageAfter(0n), ['old', 17n, 3n, 40n, null, null, null, null])

  assert.deepEqual(lineage.recall(pageAfter(5n, 'old', 17n)), { isLost: false, history: 'old' })
  assert.equal(lineage.recall(pageAfter(18n, 'old')), undefined)
  assert.equal(lineage.learn(pageAfter(18n, 'old'), told('old')).isLost, true)
})
