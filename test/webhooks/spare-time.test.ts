import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
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

/** Spare time by clocks of the test: each pause takes `pauseMs`, of which the event loop is idle for the next of `idles`. */
function spareTimeOf(t: TestContext, idles: readonly number[], { pauseMs = 1, hasOwnThread = false } = {}) {
  let elapsed = 100
  let idle = 7
  let looks = 0
  t.mock.method(performance, 'now', () => elapsed)
  t.mock.method(performance, 'eventLoopUtilization', () => {
    if (looks++ % 2 === 1) {
      idle += idles[(looks - 2) / 2] ?? 0
      elapsed += pauseMs
    }
    return { idle }
  })
  const spare = spareTime(hasOwnThread)
  return {
    /** How many pauses there are after so much work. */
    async pausesAfter(ms: number): Promise<number> {
      const before = looks
      spare.use(() => (elapsed += ms))
      await spare.turn()
      return (looks - before) / 2
    },
  }
}

test('there is a pause after 2 ms of work, together, and then not before 2 ms more', async (t) => {
  const { pausesAfter } = spareTimeOf(t, [1, 1])

  assert.deepEqual([await pausesAfter(1.5), await pausesAfter(0.25), await pausesAfter(0.25)], [0, 0, 1])
  assert.deepEqual([await pausesAfter(1), await pausesAfter(1)], [0, 1])
})

test('a pause goes on until the event loop waits for 0.2 ms', async (t) => {
  assert.equal(await spareTimeOf(t, [0, 0.125, 0.25]).pausesAfter(3), 3)
})

test('a pause takes 19 times as long as the work before it, at most', async (t) => {
  assert.equal(await spareTimeOf(t, [], { pauseMs: 19 }).pausesAfter(3), 3)
})

test('there is no pause in a thread that serves nobody else', async (t) => {
  assert.equal(await spareTimeOf(t, [], { hasOwnThread: true }).pausesAfter(100), 0)
})
