import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logPruning } from '../../src/webhooks/log-pruning.ts'

/** Counts tries, and says which logs are pruned. */
function start() {
  const forgotten: bigint[][] = []
  let failing = false
  const log = logPruning(async (ids) => {
    if (failing) throw new Error('the disk is full')
    forgotten.push(ids)
  })
  return {
    fail: (isFailing: boolean) => (failing = isFailing),
    count(id: bigint, times: number) {
      for (let count = 0; count < times; count++) log.count(id)
    },
    async prune(...present: bigint[]) {
      forgotten.length = 0
      await log.prune(new Set(present))
      return forgotten
    },
  }
}

test('the log of a webhook is pruned after 100 tries, and then after 100 more', async () => {
  const { count, prune } = start()
  count(1n, 99)
  count(2n, 100)

  assert.deepEqual(await prune(1n, 2n), [[2n]])
  count(1n, 1)
  count(2n, 99)
  assert.deepEqual(await prune(1n, 2n), [[1n]])
  count(2n, 1)
  assert.deepEqual(await prune(1n, 2n), [[2n]])
})

test('the logs of 50 webhooks are pruned at a time, and those of the others next time', async () => {
  const { count, prune } = start()
  const ids = Array.from({ length: 51 }, (_, index) => BigInt(index + 1))
  for (const id of ids) count(id, 100)

  assert.deepEqual(await prune(), [ids.slice(0, 50)])
  assert.deepEqual(await prune(), [[51n]])
  assert.deepEqual(await prune(), [])
})

test('tries of a webhook that is gone are not counted any more', async () => {
  const { count, prune } = start()
  count(1n, 60)
  count(2n, 60)
  await prune(1n)
  count(1n, 60)
  count(2n, 60)

  assert.deepEqual(await prune(1n, 2n), [[1n]])
})

test('a log that could not be pruned is pruned next time', async () => {
  const { count, prune, fail } = start()
  count(1n, 100)
  fail(true)
  await assert.rejects(prune(1n))
  fail(false)

  assert.deepEqual(await prune(1n), [[1n]])
})
