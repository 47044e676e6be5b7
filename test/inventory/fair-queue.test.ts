import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFairQueue } from '../../src/inventory/fair-queue.ts'

const caller = (id: string, signal = new AbortController().signal) => ({ id, signal })

test('callers take turns: one with much work does not keep another waiting', async () => {
  const queue = openFairQueue(1)
  const done: string[] = []
  const work = (name: string) => async () => void done.push(name)

  await Promise.all([
    ...[1, 2, 3].map((number) => queue.run(caller('busy'), work(`busy ${number}`))),
    queue.run(caller('other'), work('other')),
    queue.run(undefined, work('nobody')),
  ])

  assert.deepEqual(done, ['busy 1', 'busy 2', 'other', 'nobody', 'busy 3'])
})

test('no more work runs at a time than is allowed', async () => {
  const queue = openFairQueue(2)
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  let running = 0
  const all = gates.map(({ promise }) =>
    queue.run(undefined, async () => {
      running++
      await promise
      running--
    }),
  )
  await Promise.resolve()

  for (const [index, gate] of gates.entries()) {
    assert.equal(running, Math.min(2, 4 - index))
    gate.resolve()
    await all[index]
    await new Promise(setImmediate)
  }
})

test('work of a caller that has left is never started, and makes room', async () => {
  const queue = openFairQueue(1)
  const held = Promise.withResolvers<void>()
  const left = new AbortController()
  const first = queue.run(caller('a'), () => held.promise)
  const abandoned = Array.from({ length: 100 }, () =>
    queue.run(caller('b', left.signal), async () => assert.fail('nobody waits for it')),
  )
  await assert.rejects(
    queue.run(caller('b'), async () => undefined),
    { code: 'unavailable' },
  )

  left.abort()
  const results = await Promise.allSettled(abandoned)
  const next = queue.run(caller('b'), async () => 'found')
  held.resolve()

  assert.ok(results.every((one) => one.status === 'rejected' && one.reason.code === 'invalid_request'))
  await first
  assert.equal(await next, 'found')
  await assert.rejects(
    queue.run(caller('b', left.signal), async () => assert.fail('nobody waits for it')),
    { code: 'invalid_request' },
  )
})

test('one caller cannot take the places of the others', async () => {
  const queue = openFairQueue(1)
  const held = Promise.withResolvers<void>()
  const running = queue.run(caller('busy'), () => held.promise)
  const waiting = Array.from({ length: 100 }, () => queue.run(caller('busy'), async () => undefined))

  await assert.rejects(
    queue.run(caller('busy'), async () => undefined),
    { code: 'unavailable' },
  )
  const other = queue.run(caller('other'), async () => 'served')
  held.resolve()

  assert.equal(await other, 'served')
  await Promise.all([running, ...waiting])
})

test('work that fails ends its turn', async () => {
  const queue = openFairQueue(1)

  await assert.rejects(
    queue.run(undefined, () => {
      throw new Error('failed')
    }),
    /failed/,
  )

  assert.equal(await queue.run(undefined, async () => 'next'), 'next')
})

test('work that waits longer than the limit is refused as unavailable, and never started', async () => {
  const queue = openFairQueue(1, { ofCaller: 10, all: 10, ms: 10 })
  const held = Promise.withResolvers<void>()
  const first = queue.run(caller('a'), () => held.promise)

  await assert.rejects(
    queue.run(caller('b'), async () => assert.fail('nobody waits for it')),
    { code: 'unavailable' },
  )

  held.resolve()
  await first
  assert.equal(await queue.run(caller('b'), async () => 'room'), 'room')
})

test('work that holds memory comes before other work of its caller, and takes no turn of another', async () => {
  const queue = openFairQueue(1)
  const done: string[] = []
  const work = (name: string) => async () => void done.push(name)

  await Promise.all([
    ...[1, 2, 3].map((number) => queue.run(caller('a'), work(`a ${number}`))),
    queue.run(caller('b'), work('b')),
    queue.run(caller('a'), work('a with memory'), true),
  ])

  assert.deepEqual(done, ['a 1', 'a with memory', 'b', 'a 2', 'a 3'])
})

test('a caller waits no longer than it may still wait in all, and its wait is counted', async () => {
  const queue = openFairQueue(1)
  const held = Promise.withResolvers<void>()
  const first = queue.run(caller('a'), () => held.promise)
  const spent = { ...caller('b'), waiting: { leftMs: 1 } }

  await assert.rejects(
    queue.run(spent, async () => assert.fail('nobody waits for it')),
    { code: 'unavailable' },
  )
  assert.ok(spent.waiting.leftMs < 1)

  const patient = { ...caller('b'), waiting: { leftMs: 60_000 } }
  const second = queue.run(patient, async () => undefined)
  held.resolve()
  await Promise.all([first, second])
  assert.ok(patient.waiting.leftMs < 60_000)
})
