import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShopEvent } from '../../../client/src/index.ts'
import { activitiesOf, rangeOf } from '../../../console/state/activity.ts'

/** An event at a second of the day. */
function event(id: number, second: number, type: string, rest: object = {}): ShopEvent {
  const time = new Date(Date.UTC(2026, 10, 17, 0, 0, second)).toISOString()
  const data = { id, name: `Pet ${id}`, categoryId: 1 }
  return { id: String(id), type: `petstore.${type}`, time, keyid: 'key_a', data, ...rest } as unknown as ShopEvent
}

const sizes = (events: ShopEvent[]) => activitiesOf(events).map(({ entries }) => entries.length)

test('changes of one kind that were made together are one', () => {
  const imported = [9, 8, 7, 6].map((id) => event(id, 100 + id, 'pet.created'))

  assert.deepEqual(sizes([event(10, 200, 'pet.updated'), ...imported, event(5, 10, 'pet.created')]), [1, 4, 1])
})

test('changes of a request are one, however long it took', () => {
  const slow = [9, 8, 7].map((id) => event(id, 1_000 * id, 'pet.created', { requestid: 'import' }))

  assert.deepEqual(sizes(slow), [3])
})

test('two changes, and changes of other people or kinds, are told one by one', () => {
  assert.deepEqual(sizes([event(2, 2, 'pet.created'), event(1, 1, 'pet.created')]), [1, 1])
  assert.deepEqual(sizes([3, 2, 1].map((id) => event(id, id, 'pet.created', { keyid: `key_${id}` }))), [1, 1, 1])
  assert.deepEqual(
    sizes([event(3, 3, 'pet.created'), event(2, 2, 'pet.deleted'), event(1, 1, 'pet.created')]),
    [1, 1, 1],
  )
})

test('an animal that was changed several times is counted once, and alone it is no group', () => {
  const changed = (id: number, pet: number) =>
    event(id, id, 'pet.updated', { data: { id: pet, name: 'x', categoryId: 1 } })
  const counts = (events: ShopEvent[]) => activitiesOf(events).map(({ petCount }) => petCount)

  assert.deepEqual(counts([6, 5, 4, 3, 2, 1].map((id) => changed(id, id % 3))), [3])
  assert.deepEqual(counts([3, 2, 1].map((id) => changed(id, 7))), [1, 1, 1])
})

test('a day is from its midnight to the next one, here', () => {
  const { from, to } = rangeOf('2026-12-31') ?? {}

  assert.deepEqual([from, to], [new Date(2026, 11, 31), new Date(2027, 0, 1)])
  for (const wrong of ['', '2026-02-30', '2026-13-01', '17.11.2026', 'x']) assert.equal(rangeOf(wrong), undefined)
})
