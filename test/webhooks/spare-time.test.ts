import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spareTime } from '../../src/webhooks/spare-time.ts'

/** Holds the event loop. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

/** Lets promises settle, but no timer and no other event. */
async function microtasks(): Promise<void> {
  for (let count = 0; count < 20; count++) await Promise.resolve()
}

test('work in spare time goes on at once until it has held the event loop for 2 ms, then others are served', async () => {
  const spare = spareTime()
  const turns: number[] = []
  const next = (number: number) => spare.turn().then(() => turns.push(number))

  void next(1)
  void next(2)
  await microtasks()
  assert.deepEqual(turns, [1, 2])
  spare.use(() => work(3))
  const third = next(3)
  const fourth = next(4)
  await microtasks()
  assert.deepEqual(turns, [1, 2])
  await Promise.all([third, fourth])

  assert.deepEqual(turns, [1, 2, 3, 4])
})

test('work in spare time goes on also if the event loop is never idle', async (t) => {
  const spare = spareTime()
  let busy = setImmediate(function again() {
    busy = setImmediate(again)
  })
  t.after(() => clearImmediate(busy))

  spare.use(() => work(3))
  await spare.turn()
})
