import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { PageRequestError } from '../../../console/api/failure.ts'
import { LiveReader, type ReadState } from '../../../console/state/live-reader.ts'

test('many changes cause few reads, and the last state is read', async (t) => {
  const { tick } = mockPage(t)
  let version = 0
  let reads = 0
  const shown: (number | undefined)[] = []
  const reader = new LiveReader(
    async () => {
      reads++
      return version
    },
    ({ result }) => void shown.push(result),
  )
  t.after(() => reader.stop())
  await reader.start()

  for (version = 1; version <= 200; version++) {
    reader.refresh()
    await tick(20)
  }
  version = 200
  await tick(2_000)

  assert.equal(shown.at(-1), 200)
  // The first one, and one every 2 seconds.
  assert.ok(reads <= 4, String(reads))
})

test('a failed read is repeated less and less often, and not before Retry-After', async (t) => {
  const { tick } = mockPage(t)
  let reads = 0
  const states: ReadState<number>[] = []
  const reader = new LiveReader<number>(
    async () => {
      if (++reads > 4) return reads
      const error = new PageRequestError('unavailable', '')
      throw reads === 1 ? Object.assign(error, { retryAfterSeconds: 20 }) : error
    },
    (state) => void states.push(state),
  )
  t.after(() => reader.stop())
  await reader.start()

  const readsAfter = async (ms: number) => {
    await tick(ms)
    return reads
  }
  assert.deepEqual([await readsAfter(19_999), await readsAfter(1)], [1, 2])
  assert.deepEqual([await readsAfter(9_999), await readsAfter(1)], [2, 3])
  assert.deepEqual([await readsAfter(19_999), await readsAfter(1)], [3, 4])
  assert.ok(states.at(-1)?.error instanceof PageRequestError)
  await tick(40_000)

  assert.deepEqual(states.at(-1), { result: 5, isLoading: false })
})

/** The parts of a page that a reader uses: timers, a clock, and that somebody sees it. */
function mockPage(t: TestContext) {
  Object.assign(globalThis, { document: { visibilityState: 'visible' } })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  t.mock.method(performance, 'now', () => now)
  return {
    async tick(ms: number): Promise<void> {
      now += ms
      t.mock.timers.tick(ms)
      // A read takes a few microtasks.
      for (let step = 0; step < 10; step++) await Promise.resolve()
    },
  }
}
