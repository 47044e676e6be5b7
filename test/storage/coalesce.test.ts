import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { batchReads, shareReads } from '../../src/storage/postgres/coalesce.ts'

test('batchReads asks once for the questions of a turn, and each gets its own answer', async () => {
  const asked: (readonly number[])[] = []
  const double = batchReads(async (numbers: readonly number[]) => {
    asked.push(numbers)
    return (number) => 2 * number
  })

  const answers = await Promise.all([double(1), double(2), double(1)])
  const later = await double(3)

  assert.deepEqual([...answers, later], [2, 4, 2, 6])
  assert.deepEqual(asked, [[1, 2, 1], [3]])
})

test('batchReads fails all who asked together, and those of the next turn not', async () => {
  let isBroken = true
  const ask = batchReads(async () => {
    if (isBroken) throw new Error('broken')
    return (question: string) => question
  })

  const failed = await Promise.allSettled([ask('a'), ask('b')])
  isBroken = false

  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await ask('c'), 'c')
})

test('shareReads asks once for those who ask the same in a turn', async () => {
  let asked = 0
  const shared = shareReads<string>()
  const ask = (name: string) => shared(name, async () => `${name} ${++asked}`)

  const answers = await Promise.all([ask('a'), ask('b'), ask('a')])

  assert.deepEqual(answers, ['a 1', 'b 2', 'a 1'])
})

test('shareReads begins when all have asked: nobody is told what was outdated when they asked', async () => {
  let value = 'old'
  const shared = shareReads<string>()
  const ask = () => shared('value', async () => value)

  const first = ask()
  value = 'new'
  const second = ask()
  await turn()
  value = 'newest'
  const third = ask()

  assert.deepEqual(await Promise.all([first, second, third]), ['new', 'new', 'newest'])
})
