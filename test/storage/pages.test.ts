import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  endBackwards,
  endOfPage,
  type EventRows,
  toEventPage,
  toPageBackwards,
} from '../../src/storage/shared/reads/event-page.ts'
import type { ListedEventRow } from '../../src/storage/shared/reads/large-events.ts'
import { boundOf, toPage } from '../../src/storage/shared/reads/page.ts'
import { UnreadableRow } from '../../src/storage/shared/rows/unreadable-row.ts'

const row = (id: bigint): ListedEventRow => [id, 'pet.created', id, 0n, '{}', null]
const rowsOf = (...ids: bigint[]) => ids.map(row)
const kept = { isLost: false, lineage: 'k3x9Qa7B' }
const lost = { isLost: true, lineage: undefined }
const ids = (items: readonly { id: bigint }[]) => items.map(({ id }) => id)

function found(rows: ListedEventRow[], { limit = 2, after, latest }: Partial<EventRows> & { latest: bigint }) {
  return { rows, limit, after, next: rows[0]?.[0], latest }
}

test('a page ends with its last event, and the last page with the latest of all', () => {
  assert.equal(endOfPage(found(rowsOf(1n, 2n, 3n), { latest: 9n })), 2n)
  assert.equal(endOfPage(found(rowsOf(1n, 2n), { latest: 9n })), 9n)
  assert.equal(endOfPage(found([], { latest: 9n })), 9n)
})

test('the last page ends with its last event if that was committed after the latest was read', () => {
  assert.equal(endOfPage(found(rowsOf(10n, 11n), { latest: 9n })), 11n)
  assert.equal(endOfPage(found(rowsOf(10n), { latest: 9n })), 10n)
})

test('a page of events has one row less than was read, and names its lineage', () => {
  const page = toEventPage(found(rowsOf(1n, 2n, 3n), { latest: 9n }), kept)

  assert.deepEqual(
    { ...page, items: ids(page.items) },
    { items: [1n, 2n], more: true, missed: false, end: 2n, lineage: 'k3x9Qa7B' },
  )
})

test('a page without a lineage names none, in either direction', () => {
  const check = { isLost: false, lineage: undefined }

  assert.ok(!('lineage' in toEventPage(found([], { latest: 0n }), check)))
  assert.ok(!('lineage' in toPageBackwards(rowsOf(1n), 2, check)))
})

test('events were missed if some after the position have expired, or if its lineage was lost', () => {
  const missed = (after: bigint | undefined, first: bigint, check = kept) =>
    toEventPage(found(rowsOf(first), { after, latest: 9n }), check).missed

  assert.deepEqual([missed(3n, 4n), missed(3n, 5n), missed(undefined, 5n)], [false, true, false])
  assert.deepEqual(toEventPage(found(rowsOf(4n), { after: 3n, latest: 9n }), lost), {
    items: [],
    more: false,
    missed: true,
  })
  assert.deepEqual(toPageBackwards(rowsOf(4n), 2, lost), { items: [], more: false, missed: true })
})

test('a page backwards ends with its last event, and an empty one has no end', () => {
  assert.deepEqual([endBackwards(rowsOf(3n, 2n, 1n), 2), endBackwards(rowsOf(1n), 2)], [2n, 1n])

  const page = toPageBackwards(rowsOf(3n, 2n, 1n), 2, kept)
  assert.deepEqual(
    { ...page, items: ids(page.items) },
    { items: [3n, 2n], more: true, missed: false, end: 2n, lineage: 'k3x9Qa7B' },
  )
  assert.deepEqual(toPageBackwards([], 2, kept), { items: [], more: false, missed: false, lineage: 'k3x9Qa7B' })
})

test('a page with rows that cannot be read says where those end that were read', () => {
  const read = ([id]: readonly [bigint]) => {
    if (id === 2n) throw new UnreadableRow('animal', id, 'it is damaged')
    return { id }
  }
  const pageOf = (...all: bigint[]) =>
    toPage(
      all.map((id) => [id] as const),
      2,
      read,
    )

  assert.deepEqual(pageOf(1n, 2n, 3n), { items: [{ id: 1n }], more: true, next: 2n })
  assert.deepEqual(pageOf(1n, 2n), { items: [{ id: 1n }], more: false })
  assert.deepEqual(pageOf(3n, 4n, 5n), { items: [{ id: 3n }, { id: 4n }], more: true })
  assert.deepEqual(pageOf(3n, 4n), { items: [{ id: 3n }, { id: 4n }], more: false })
})

test('only the first page in descending order begins at the highest id', () => {
  assert.equal(boundOf('-id', 0n), 2n ** 63n - 1n)
  assert.equal(boundOf('-id', 5n), 5n)
  assert.equal(boundOf('id', 0n), 0n)
  assert.equal(boundOf(undefined, 0n), 0n)
})
