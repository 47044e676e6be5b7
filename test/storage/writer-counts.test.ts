import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WriterStats } from '../../src/inventory/storage-stats.ts'
import { watchHealth } from '../../src/storage/sqlite/connection/health.ts'
import { ConnectionLost, RolledBack } from '../../src/storage/postgres/connection/errors.ts'
import { postgresWriter } from '../../src/storage/postgres/writes/writer.ts'
import type { ReconnectingSession } from '../../src/storage/postgres/connection/reconnecting-session.ts'
import { type Committer, sqliteWriter } from '../../src/storage/sqlite/writes/writer.ts'
import type { WriteResult } from '../../src/storage/sqlite/writes/writes.ts'
import { heldCommitter, nextLoopTick, revoke, sent } from '../support/write-groups.ts'

test('writer: each write is counted once, by its outcome', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer, { health: watchHealth('pets.db'), timeoutMs: 5_000 })
  const outcomes = () => {
    const { groupSizes: _sizes, commitSeconds: _seconds, ...counts } = writer.stats()
    return counts
  }

  const stored = [writer.write(...revoke), writer.write(...revoke)]
  ;(await sent(groups, 0)).succeed()
  await Promise.all(stored)
  assert.deepEqual(outcomes(), { queued: 0, stored: 2, failed: 0, unknown: 0, refused: 0 })

  const late = writer.perform(revoke)
  t.mock.timers.tick(1)
  const group = await sent(groups, 1)
  const behind = writer.perform(revoke)
  assert.equal(writer.stats().queued, 1)
  t.mock.timers.tick(5_000)
  await Promise.all([late, behind])
  group.succeed()
  await nextLoopTick()
  assert.deepEqual(outcomes(), { queued: 0, stored: 2, failed: 0, unknown: 1, refused: 1 })

  const lost = writer.perform(revoke)
  t.mock.timers.tick(1)
  ;(await sent(groups, 2)).fail(new Error('the thread ended'))
  await lost
  await writer.close()
  await writer.perform(revoke)
  assert.deepEqual(outcomes(), { queued: 0, stored: 2, failed: 0, unknown: 2, refused: 2 })
})

test('writer: the sizes of groups and the times of commits are counted', async () => {
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer)

  const writes = Array.from({ length: 3 }, () => writer.write(...revoke))
  ;(await sent(groups, 0)).succeed()
  await Promise.all(writes)

  const { groupSizes, commitSeconds } = writer.stats()
  assert.equal(groupSizes.sum, 3)
  assert.deepEqual(groupSizes.counts.slice(0, 4), [0, 0, 1, 0], 'more than 2, at most 5')
  assert.equal(
    commitSeconds.counts.reduce((sum, count) => sum + count),
    1,
  )
  assert.ok(commitSeconds.sum > 0)
})

for (const [outcome, failure] of [
  ['failed', { message: 'The disk is full.', unavailable: true }],
  ['unknown', { message: 'The files are gone.', unavailable: true, mayHaveSucceeded: true }],
] as const) {
  test(`sqlite: a write whose result is ${outcome} is counted as ${outcome}`, async () => {
    const writer = sqliteWriter(committerOf({ failure }))

    await assert.rejects(writer.write(...revoke), { code: 'unavailable' })

    assert.deepEqual(outcomesOf(writer.stats()), { stored: 0, failed: 0, unknown: 0, refused: 0, [outcome]: 1 })
  })
}

for (const [outcome, error] of [
  ['failed', new RolledBack(new Error('The disk is full.'))],
  ['unknown', new ConnectionLost('The connection was lost during the commit.')],
] as const) {
  test(`postgres: a write of a group with the outcome ${outcome} is counted as ${outcome}`, async () => {
    const link = { use: () => Promise.reject(error), close: async () => undefined }
    const lineages = { opening: () => [], committed: () => undefined }
    const writer = postgresWriter(link as unknown as ReconnectingSession, lineages)

    await assert.rejects(writer.write('deleteExpiredResponses', { now: 0 }), { code: 'unavailable' })

    assert.deepEqual(outcomesOf(writer.stats()), { stored: 0, failed: 0, unknown: 0, refused: 0, [outcome]: 1 })
  })
}

/** A committer that gives every write this result. */
function committerOf(result: WriteResult): Committer {
  return { commit: async (group) => group.map(() => result), async close() {} }
}

function outcomesOf({ stored, failed, unknown, refused }: WriterStats) {
  return { stored, failed, unknown, refused }
}
