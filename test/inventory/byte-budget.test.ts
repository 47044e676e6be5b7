import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTick } from 'node:timers/promises'
import { type BudgetLimits, openByteBudget } from '../../src/inventory/byte-budget.ts'
import { PetStoreError } from '../../src/inventory/errors.ts'

/** Of 100 bytes, with a time that the test moves. */
function budgetOf100(limits: Partial<BudgetLimits> = {}) {
  const time = { ms: 0 }
  const budget = openByteBudget({ lanes: [{ upToBytes: Infinity, maxBytes: 100 }], ...limits }, () => time.ms)
  const held = (owner: string, bytes: number) => {
    const reservation = budget.open(owner)
    assert.ok(reservation.tryResize(bytes), `${owner} gets ${bytes} bytes at once`)
    return reservation
  }
  /** Of each that waits, in the order in which it gets its bytes. */
  const granted: string[] = []
  const waiting = (owner: string, bytes: number, name = owner) => {
    const reservation = budget.open(owner)
    assert.equal(reservation.tryResize(bytes), false, `${name} has to wait`)
    const done = reservation.resize(bytes).then(() => void granted.push(name))
    done.catch(() => undefined)
    return { reservation, done }
  }
  return { budget, time, held, waiting, granted }
}

const settled = async () => {
  for (let tick = 0; tick < 3; tick++) await nextTick()
}

function isUnavailable(error: unknown): boolean {
  return error instanceof PetStoreError && error.code === 'unavailable' && error.retryAfterSeconds !== undefined
}

test('estimated sizes leave nothing behind, so that what is larger than the budget passes when it is alone', () => {
  const { budget, held } = budgetOf100()
  const estimated = [10.1, 20.2, 30.3].map((bytes) => held('a', bytes))
  for (const reservation of estimated) reservation.end()

  assert.equal(budget.stats().bytes, 0)
  held('b', 200)
})

test('bytes are given back once, however often a reservation ends', () => {
  const { budget, held } = budgetOf100()
  const one = held('a', 60)
  held('b', 40)

  one.end()
  one.end()
  one.force(50)

  assert.deepEqual(budget.stats(), { bytes: 40, waiting: 0, refused: 0 })
  assert.equal(one.tryResize(90), true, 'nobody uses it any more')
  assert.equal(budget.stats().bytes, 40)
})

test('a request that needs more than is free waits its turn', async () => {
  const { held, waiting, granted } = budgetOf100()
  const first = held('a', 60)
  waiting('b', 50)
  await settled()
  assert.deepEqual(granted, [])

  first.tryResize(50)
  await settled()

  assert.deepEqual(granted, ['b'])
})

test('the largest response passes when it is alone, and no other beside it', async () => {
  const { held, waiting, granted } = budgetOf100()
  const largest = held('a', 500)
  waiting('b', 1)
  await settled()
  assert.deepEqual(granted, [])

  largest.end()
  await settled()

  assert.deepEqual(granted, ['b'])
})

test('owners take turns, and a large request is not overtaken for ever', async () => {
  const { held, waiting, granted } = budgetOf100()
  const all = held('x', 100)
  waiting('a', 10, 'a1')
  waiting('a', 10, 'a2')
  waiting('a', 10, 'a3')
  waiting('b', 100)
  waiting('c', 10)

  all.end()
  await settled()

  // b is next and does not fit beside a1.
  assert.deepEqual(granted, ['a1'])
})

test('one key cannot starve the others: above its share it is passed over while they wait', async () => {
  const { held, waiting, granted } = budgetOf100()
  const first = held('greedy', 40)
  held('greedy', 40)
  const last = held('greedy', 20)
  waiting('greedy', 20)
  waiting('modest', 30)

  last.end()
  await settled()
  assert.deepEqual(granted, [], 'modest needs more, and greedy has more than its share')
  first.end()
  await settled()

  assert.deepEqual(granted, ['modest', 'greedy'])
})

test('a key alone may have everything', () => {
  const { held } = budgetOf100()
  held('a', 50)
  held('a', 50)
})

test('who waits longer than the limit is refused as unavailable, with a time to retry', async () => {
  const { time, held, waiting, budget } = budgetOf100({ maxWaitMs: 5 })
  held('a', 100)
  const { done } = waiting('b', 1)

  time.ms = 6

  await assert.rejects(done, isUnavailable)
  assert.equal(budget.stats().waiting, 0)
})

test('a request waits so long in all, however often it waits', async () => {
  const { time, held, waiting, budget } = budgetOf100({ maxWaitMs: 5 })
  const first = held('a', 100)
  const { reservation, done } = waiting('b', 60)
  time.ms = 3
  first.end()
  await done
  assert.equal(reservation.waiting.leftMs, 2)
  held('a', 40)

  const again = reservation.resize(70)
  again.catch(() => undefined)
  time.ms = 6

  await assert.rejects(again, isUnavailable)
  assert.deepEqual(budget.stats(), { bytes: 40, waiting: 0, refused: 1 })
})

test('the queue is bounded, and one key cannot fill it for the others', async () => {
  const { held, waiting, budget } = budgetOf100({ maxWaiting: 3 })
  held('x', 100)
  waiting('a', 1, 'a1')
  waiting('a', 1, 'a2')
  const last = waiting('a', 1, 'a3')
  const another = waiting('a', 1, 'a4')
  await assert.rejects(another.done, isUnavailable)

  waiting('b', 1)

  await assert.rejects(last.done, isUnavailable)
  assert.equal(budget.stats().waiting, 3)
})

test('who leaves the queue lets the next one in', async () => {
  const { held, waiting, granted } = budgetOf100()
  held('x', 50)
  const large = waiting('a', 60)
  waiting('b', 50)

  large.reservation.end()
  await settled()

  assert.deepEqual(granted, ['b'])
  await assert.rejects(large.done, { code: 'invalid_request' })
})

test('nobody waits for somebody who waits: what was reserved is given back first', async () => {
  const { held, granted } = budgetOf100()
  const [one, other] = [held('a', 50), held('b', 50)]
  const growing = [one, other].map((each, index) => each.resize(80).then(() => granted.push(String(index))))
  await settled()
  assert.deepEqual(granted, ['0'])

  one.end()

  await Promise.all(growing)
})

test('slow responses of a key above its share are cut, longest first, for another key that waits', async () => {
  const { budget, time, held, waiting, granted } = budgetOf100({ maxPatienceMs: 10 })
  const cut: string[] = []
  const sending = (owner: string, bytes: number, name: string) =>
    held(owner, bytes).startSending(() => void cut.push(name))
  sending('slow', 30, 'first')
  time.ms = 1
  sending('slow', 30, 'second')
  sending('fair', 30, 'fair')
  time.ms = 9
  sending('slow', 10, 'new')
  waiting('slow', 10)
  waiting('modest', 20)
  budget.cutSlow()
  assert.deepEqual(cut, [], 'nobody has waited for long')

  time.ms = 19
  budget.cutSlow()
  await settled()

  assert.deepEqual(cut, ['first'])
  assert.deepEqual(granted, ['modest', 'slow'])
})

test('large responses do not keep smaller ones waiting', () => {
  const budget = openByteBudget({
    lanes: [
      { upToBytes: 10, maxBytes: 20 },
      { upToBytes: Infinity, maxBytes: 80 },
    ],
  })
  assert.ok(budget.open('a').tryResize(80))
  assert.equal(budget.open('a').tryResize(11), false)

  assert.ok(budget.open('b').tryResize(10))
  assert.ok(budget.open('b').tryResize(10))
  assert.equal(budget.open('b').tryResize(10), false)
})
