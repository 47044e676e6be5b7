import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { batchReads, shareReads } from '../../src/storage/postgres/reads/coalesce.ts'

test('batchReads sends one query per turn, and each caller gets its own result', async () => {
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

test('a failed batch fails its own callers only', async () => {
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

test('shareReads sends one query for equal reads of a turn', async () => {
  let asked = 0
  const shared = shareReads<string>()
  const ask = (name: string) => shared(name, async () => `${name} ${++asked}`)

  const answers = await Promise.all([ask('a'), ask('b'), ask('a')])

  assert.deepEqual(answers, ['a 1', 'b 2', 'a 1'])
})

test('shareReads queries after all callers have asked, so no result is stale', async () => {
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
