import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Committer, groupingWriter } from '../../src/storage/sqlite/writer.ts'
import type { WriteRequest, WriteResult } from '../../src/storage/sqlite/writes.ts'

/** A committer that waits to be told how each group ends. */
function heldCommitter() {
  const groups: { size: number; succeed(): void; fail(error: Error): void }[] = []
  const committer: Committer = {
    commit(group: readonly WriteRequest[]) {
      return new Promise<WriteResult[]>((resolve, reject) => {
        groups.push({
          size: group.length,
          succeed: () => resolve(group.map(() => ({ value: true }))),
          fail: reject,
        })
      })
    },
    async close() {},
  }
  return { committer, groups }
}

const revoke = ['revokeKey', { id: 'key', at: 0 }] as const
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** The group with this number, once it has been sent. */
async function sent(groups: ReturnType<typeof heldCommitter>['groups'], number: number) {
  while (groups.length <= number) await nextTurn()
  return groups[number] as (typeof groups)[number]
}

test('writer: what arrives in one turn of the event loop is one group', async () => {
  const { committer, groups } = heldCommitter()
  const writer = groupingWriter(committer)

  const writes = Array.from({ length: 100 }, () => writer.write(...revoke))
  ;(await sent(groups, 0)).succeed()
  await Promise.all(writes)

  assert.deepEqual(
    groups.map(({ size }) => size),
    [100],
  )
})

test('writer: what arrives while a group is being committed waits for the next, and is not answered before', async () => {
  const { committer, groups } = heldCommitter()
  const writer = groupingWriter(committer)
  const first = writer.write(...revoke)
  await nextTurn()

  let answered = 0
  const later = Array.from({ length: 7 }, () => writer.write(...revoke).then(() => answered++))
  ;(await sent(groups, 0)).succeed()
  await first
  await nextTurn()
  assert.equal(answered, 0)
  ;(await sent(groups, 1)).succeed()
  await Promise.all(later)

  assert.deepEqual(
    groups.map(({ size }) => size),
    [1, 7],
  )
})

test('writer: a group waits for as many as wrote the last time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { committer, groups } = heldCommitter()
  const writer = groupingWriter(committer)
  const first = Array.from({ length: 3 }, () => writer.write(...revoke))
  ;(await sent(groups, 0)).succeed()
  await Promise.all(first)

  const again = [writer.write(...revoke)]
  await nextTurn()
  assert.equal(groups.length, 1)
  again.push(writer.write(...revoke), writer.write(...revoke))
  ;(await sent(groups, 1)).succeed()
  await Promise.all(again)

  assert.equal(groups[1]?.size, 3)
})

test('writer: a group waits a millisecond, not longer, for those who do not write again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { committer, groups } = heldCommitter()
  const writer = groupingWriter(committer)
  const first = Array.from({ length: 3 }, () => writer.write(...revoke))
  ;(await sent(groups, 0)).succeed()
  await Promise.all(first)

  const alone = writer.write(...revoke)
  await nextTurn()
  assert.equal(groups.length, 1)
  t.mock.timers.tick(1)
  ;(await sent(groups, 1)).succeed()
  await alone
  const next = writer.write(...revoke)
  ;(await sent(groups, 2)).succeed()

  await next
})

test('writer: a group has at most 1,000 writes', async () => {
  const { committer, groups } = heldCommitter()
  const writer = groupingWriter(committer)

  const writes = Array.from({ length: 1_500 }, () => writer.write(...revoke))
  ;(await sent(groups, 0)).succeed()
  await Promise.all(writes.slice(0, 1_000))
  ;(await sent(groups, 1)).succeed()
  await Promise.all(writes)

  assert.deepEqual(
    groups.map(({ size }) => size),
    [1_000, 500],
  )
})

test('writer: when 10,000 wait, the next one is refused as unavailable and told to try again', async () => {
  const { committer, groups } = heldCommitter()
  const writer = groupingWriter(committer)
  const writes = [writer.write(...revoke)]
  await nextTurn()
  for (let count = 0; count < 10_000; count++) writes.push(writer.write(...revoke))

  await assert.rejects(writer.write(...revoke), { code: 'unavailable', headers: { 'retry-after': '1' } })

  for (let index = 0; index <= 10; index++) (await sent(groups, index)).succeed()
  await Promise.all(writes)
})

test('writer: nothing is acknowledged when the committer fails, and the next write is tried again', async () => {
  const { committer, groups } = heldCommitter()
  const writer = groupingWriter(committer)
  const lost = [writer.write(...revoke), writer.write(...revoke)]
  ;(await sent(groups, 0)).fail(new Error('the disk is gone'))
  for (const write of lost) await assert.rejects(write, { code: 'unavailable' })
  assert.throws(() => writer.check(), { code: 'unavailable' })

  const next = writer.write(...revoke)
  ;(await sent(groups, 1)).succeed()

  assert.equal(await next, true)
  writer.check()
})

test('writer: closing waits for what was taken in and refuses what comes after', async () => {
  const { committer, groups } = heldCommitter()
  const writer = groupingWriter(committer)
  const write = writer.write(...revoke)
  await nextTurn()

  const closing = writer.close()
  await assert.rejects(writer.write(...revoke), { code: 'unavailable' })
  groups[0]?.succeed()

  assert.equal(await write, true)
  await closing
})
