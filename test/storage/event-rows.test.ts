import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventRow, isGap, toEvent, toEventOrMark } from '../../src/storage/shared/rows/event-row.ts'

const row: EventRow = [7n, 'pet.created', 3n, 1_000n, '{"id":3}', '{"keyId":"key_1"}']

test('an event is read from its row, with its author if it has one', () => {
  const event = { id: 7n, type: 'pet.created', subject: 3n, at: 1_000, data: '{"id":3}' }

  assert.deepEqual(toEvent(row), { ...event, author: '{"keyId":"key_1"}' })
  assert.deepEqual(toEvent([7n, 'pet.created', 3n, 1_000n, '{"id":3}', null]), event)
})

for (const [what, place, value] of [
  ['another type', 1, 'pet.sung'],
  ['a time that is none', 3, 9_999_999_999_999_999n],
  ['data that are no object', 4, 'Rex'],
  ['an author that is no object', 5, 'key_1'],
] as const) {
  test(`an event with ${what} is refused, and keeps its place in a page`, () => {
    const broken = row.with(place, value) as EventRow

    assert.throws(() => toEvent(broken), { name: 'UnreadableRow' })
    const { id, isUnreadable } = toEventOrMark(broken)
    assert.deepEqual([id, isUnreadable], [7n, true])
  })
}

test('events are missed if the next one, or any at all, is gone', () => {
  assert.deepEqual([isGap(4n, 5n, 9n), isGap(4n, 6n, 9n)], [false, true])
  assert.deepEqual([isGap(9n, undefined, 9n), isGap(8n, undefined, 9n)], [false, true])
  assert.deepEqual([isGap(-1n, 1n, 9n), isGap(-1n, 2n, 9n)], [false, true])
})
