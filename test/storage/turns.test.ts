import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTurns } from '../../src/storage/shared/reads/turns.ts'

const caller = (id: string, signal = new AbortController().signal) => ({ id, signal })

test('callers take turns: one with much work does not keep another waiting', async () => {
  const turns = openTurns(1)
  const done: string[] = []
  const work = (name: string) => async () => void done.push(name)

  await Promise.all([
    ...[1, 2, 3].map((number) => turns.take(caller('busy'), work(`busy ${number}`))),
    turns.take(caller('other'), work('other')),
    turns.take(undefined, work('nobody')),
  ])

  assert.deepEqual(done, ['busy 1', 'busy 2', 'other', 'nobody', 'busy 3'])
})

test('no more work runs at a time than is allowed', async () => {
  const turns = openTurns(2)
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  let running = 0
  const all = gates.map(({ promise }) =>
    turns.take(undefined, async () => {
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
  const turns = openTurns(1)
  const held = Promise.withResolvers<void>()
  const left = new AbortController()
  const first = turns.take(caller('a'), () => held.promise)
  const abandoned = Array.from({ length: 100 }, () =>
    turns.take(caller('b', left.signal), async () => assert.fail('nobody waits for it')),
  )
  await assert.rejects(
    turns.take(caller('b'), async () => undefined),
    { code: 'unavailable' },
  )

  left.abort()
  const results = await Promise.allSettled(abandoned)
  const next = turns.take(caller('b'), async () => 'found')
  held.resolve()

  assert.ok(results.every((one) => one.status === 'rejected' && one.reason.code === 'invalid_request'))
  await first
  assert.equal(await next, 'found')
  await assert.rejects(
    turns.take(caller('b', left.signal), async () => assert.fail('nobody waits for it')),
    { code: 'invalid_request' },
  )
})

test('one caller cannot take the places of the others', async () => {
  const turns = openTurns(1)
  const held = Promise.withResolvers<void>()
  const running = turns.take(caller('busy'), () => held.promise)
  const waiting = Array.from({ length: 100 }, () => turns.take(caller('busy'), async () => undefined))

  await assert.rejects(
    turns.take(caller('busy'), async () => undefined),
    { code: 'unavailable' },
  )
  const other = turns.take(caller('other'), async () => 'served')
  held.resolve()

  assert.equal(await other, 'served')
  await Promise.all([running, ...waiting])
})

test('work that fails ends its turn', async () => {
  const turns = openTurns(1)

  await assert.rejects(
    turns.take(undefined, () => {
      throw new Error('failed')
    }),
    /failed/,
  )

  assert.equal(await turns.take(undefined, async () => 'next'), 'next')
})
