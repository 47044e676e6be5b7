import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sqliteWriter } from '../../src/storage/sqlite/writes/writer.ts'
import { heldCommitter, nextLoopTick, revoke, sent } from '../support/write-groups.ts'

test('writer: a group waits for as many writes as the last one had', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer)
  const first = Array.from({ length: 3 }, () => writer.write(...revoke))
  ;(await sent(groups, 0)).succeed()
  await Promise.all(first)

  const again = [writer.write(...revoke)]
  await nextLoopTick()
  assert.equal(groups.length, 1)
  again.push(writer.write(...revoke), writer.write(...revoke))
  ;(await sent(groups, 1)).succeed()
  await Promise.all(again)

  assert.equal(groups[1]?.size, 3)
})

test('writer: a group waits until no write arrives for a millisecond', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer)
  const first = Array.from({ length: 4 }, () => writer.write(...revoke))
  ;(await sent(groups, 0)).succeed()
  await Promise.all(first)

  const few = [writer.write(...revoke)]
  await nextLoopTick()
  few.push(writer.write(...revoke))
  t.mock.timers.tick(1)
  await nextLoopTick()
  assert.equal(groups.length, 1)
  t.mock.timers.tick(1)
  ;(await sent(groups, 1)).succeed()
  await Promise.all(few)
  const next = [writer.write(...revoke), writer.write(...revoke)]
  ;(await sent(groups, 2)).succeed()

  await Promise.all(next)
})

test('writer: a group waits at most four milliseconds, and as long as the event loop takes', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer)
  const first = Array.from({ length: 4 }, () => writer.write(...revoke))
  ;(await sent(groups, 0)).succeed()
  await Promise.all(first)

  const few = [writer.write(...revoke)]
  for (const end = performance.now() + 4; performance.now() < end; ) await nextLoopTick()
  few.push(writer.write(...revoke))
  t.mock.timers.tick(1)
  ;(await sent(groups, 1)).succeed()

  await Promise.all(few)
})
