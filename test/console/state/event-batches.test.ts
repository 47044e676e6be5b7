import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShopEvent } from '../../../client/src/index.ts'
import { batchEvents } from '../../../console/state/event-batches.ts'

function eventOf(id: string): ShopEvent {
  return { id } as ShopEvent
}

test('the first event is published at once, and thousands after it four times a second', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const batches: string[][] = []
  const stream = batchEvents((events) => batches.push(events.map(({ id }) => id)))

  stream.add(eventOf('1'))
  assert.deepEqual(batches, [['1']])
  for (let id = 2; id <= 5_000; id++) stream.add(eventOf(String(id)))
  assert.equal(batches.length, 1)

  t.mock.timers.tick(250)
  assert.equal(batches.length, 2)
  assert.deepEqual([batches[1]?.length, batches[1]?.at(0), batches[1]?.at(-1)], [4_999, '2', '5000'])

  stream.add(eventOf('5001'))
  assert.equal(batches.length, 2)
  t.mock.timers.tick(250)
  assert.equal(batches.length, 3)
  t.mock.timers.tick(250)
  stream.add(eventOf('5002'))
  assert.equal(batches.length, 4)
})

test('events that wait are published before what comes after them, and no event is published twice', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const published: string[] = []
  const stream = batchEvents((events) => published.push(...events.map(({ id }) => id)))

  for (const id of ['1', '2', '3']) stream.add(eventOf(id))
  stream.flush()
  assert.deepEqual(published, ['1', '2', '3'])

  t.mock.timers.tick(1_000)
  stream.flush()
  assert.deepEqual(published, ['1', '2', '3'])
})
