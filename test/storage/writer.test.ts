import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WriterStats } from '../../src/inventory/storage-stats.ts'
import { watchHealth } from '../../src/storage/sqlite/connection/health.ts'
import { ConnectionLost, RolledBack } from '../../src/storage/postgres/connection/errors.ts'
import { postgresWriter } from '../../src/storage/postgres/writes/writer.ts'
import { costOf } from '../../src/storage/postgres/writes/writes.ts'
import type { ReconnectingSession } from '../../src/storage/postgres/connection/reconnecting-session.ts'
import { manyChanges } from '../../src/storage/shared/ports/change-many.ts'
import type { Engine } from '../../src/storage/shared/ports/engine.ts'
import { type Committer, sqliteWriter } from '../../src/storage/sqlite/writes/writer.ts'
import type { WriteRequest, WriteResult } from '../../src/storage/sqlite/writes/writes.ts'

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

/** A committer that gives every write this result. */
function committerOf(result: WriteResult): Committer {
  return { commit: async (group) => group.map(() => result), async close() {} }
}

const revoke = ['revokeKey', { id: 'key', at: 0 }] as const
const nextLoopTick = () => new Promise((resolve) => setImmediate(resolve))

/** The group with this number, once it has been sent. */
async function sent(groups: ReturnType<typeof heldCommitter>['groups'], number: number) {
  while (groups.length <= number) await nextLoopTick()
  return groups[number] as (typeof groups)[number]
}

test('writer: writes of one turn of the event loop are one group', async () => {
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer)

  const writes = Array.from({ length: 100 }, () => writer.write(...revoke))
  ;(await sent(groups, 0)).succeed()
  await Promise.all(writes)

  assert.deepEqual(
    groups.map(({ size }) => size),
    [100],
  )
})

test('writer: a bulk change of animals with long names is a group by itself', async () => {
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer)
  const items = Array.from({ length: 100 }, (_none, id) => ({
    id: BigInt(id + 1),
    name: 'R'.repeat(64 * 1024),
    categoryId: 1n,
  }))
  const changeMany = manyChanges({
    list: async () => ({ items, more: false }),
    findAll: async () => items,
    write: writer.write as Engine['write'],
    clock: () => 0,
  })
  const from = { after: 0n, upTo: 100n }

  const bulks = [1, 2, 3].map(() => changeMany({ filter: { categoryId: 1n }, change: 'delete', from }))
  for (const number of [0, 1, 2]) {
    const group = await sent(groups, number)
    assert.equal(group.size, 1)
    group.succeed()
  }
  await Promise.all(bulks)
})

test('writer: writes that arrive during a commit wait for the next group', async () => {
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer)
  const first = writer.write(...revoke)
  await nextLoopTick()

  let answered = 0
  const later = Array.from({ length: 7 }, () => writer.write(...revoke).then(() => answered++))
  ;(await sent(groups, 0)).succeed()
  await first
  await nextLoopTick()
  assert.equal(answered, 0)
  ;(await sent(groups, 1)).succeed()
  await Promise.all(later)

  assert.deepEqual(
    groups.map(({ size }) => size),
    [1, 7],
  )
})

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

test('writer: a group waits at most a millisecond', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer)
  const first = Array.from({ length: 3 }, () => writer.write(...revoke))
  ;(await sent(groups, 0)).succeed()
  await Promise.all(first)

  const alone = writer.write(...revoke)
  await nextLoopTick()
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
  const writer = sqliteWriter(committer)

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

test('writer: a group has fewer creates if their names have many words, on both engines', async () => {
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer)
  const command = { pet: { name: 'x '.repeat(32_000), categoryId: 1n }, at: 0 }

  const writes = Array.from({ length: 10 }, () => writer.write('createPet', command))
  void writer.write(...revoke)
  const short = Array.from({ length: 100 }, () =>
    writer.write('createPet', { pet: { name: 'x '.repeat(500), categoryId: 1n }, at: 0 }),
  )
  for (let number = 0; number < 3; number++) (await sent(groups, number)).succeed()
  await Promise.all([...writes, ...short])

  assert.deepEqual(
    groups.map(({ size }) => size),
    [10 + 1 + 37, 47, 16],
  )
  assert.equal(costOf(['createPet', command]), 21)
  assert.equal(costOf(['updatePet', { id: 1n, change: { name: 'x '.repeat(250) } }]), 14)
})

test('writer: with 10,000 waiting writes the next one is unavailable', async () => {
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer)
  const writes = [writer.write(...revoke)]
  await nextLoopTick()
  for (let count = 0; count < 10_000; count++) writes.push(writer.write(...revoke))

  await assert.rejects(writer.write(...revoke), { code: 'unavailable', retryAfterSeconds: 1 })

  for (let index = 0; index <= 10; index++) (await sent(groups, index)).succeed()
  await Promise.all(writes)
})

const largePet = ['createPet', { pet: { name: 'é'.repeat(32_760), categoryId: 1n }, at: 0 }] as const

test('writer: a group has at most a mebibyte of text', async () => {
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer)

  const writes = Array.from({ length: 20 }, () => writer.write(...largePet))
  const first = await sent(groups, 0)
  assert.equal(first.size, 16)
  first.succeed()
  ;(await sent(groups, 1)).succeed()
  await Promise.all(writes)
})

test('writer: with 32 MiB of waiting text the next write is unavailable, until there is room', async () => {
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer)
  const waiting: Promise<unknown>[] = [writer.write(...revoke)]
  await sent(groups, 0)
  for (let place = 0; place <= 512; place++) waiting.push(writer.write(...largePet))

  await assert.rejects(writer.write(...revoke), { code: 'unavailable' })
  groups[0]?.succeed()
  await sent(groups, 1)
  waiting.push(writer.write(...revoke))
  for (let place = 1; place <= 33; place++) (await sent(groups, place)).succeed()
  await Promise.all(waiting)
})

test('writer: a failed committer acknowledges nothing, and the next write is tried', async () => {
  const { committer, groups } = heldCommitter()
  const health = watchHealth('pets.db')
  const writer = sqliteWriter(committer, { health })
  const lost = [writer.write(...revoke), writer.write(...revoke)]
  ;(await sent(groups, 0)).fail(new Error('the disk is gone'))
  for (const write of lost) await assert.rejects(write, { code: 'unavailable' })
  assert.equal(health.problem, 'the disk is gone')

  const next = writer.write(...revoke)
  ;(await sent(groups, 1)).succeed()

  assert.equal(await next, true)
  assert.equal(health.problem, undefined)
})

test('writer: closing waits for pending writes and refuses new ones', async () => {
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer)
  const write = writer.write(...revoke)
  await nextLoopTick()

  const closing = writer.close()
  await assert.rejects(writer.write(...revoke), { code: 'unavailable' })
  groups[0]?.succeed()

  assert.equal(await write, true)
  await closing
})

test('writer: a write that takes too long is unknown, and those behind it are not stored', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { committer, groups } = heldCommitter()
  const health = watchHealth('pets.db')
  const writer = sqliteWriter(committer, { health, timeoutMs: 5_000 })
  const sentWrite = writer.write(...revoke)
  const group = await sent(groups, 0)
  const queued = writer.write(...revoke)

  t.mock.timers.tick(5_000)

  await assert.rejects(sentWrite, { code: 'unavailable', message: /unknown whether/ })
  await assert.rejects(queued, { code: 'unavailable', message: /^Nothing can be written/ })
  await assert.rejects(writer.write(...revoke), { code: 'unavailable', message: /^Nothing can be written/ })
  assert.equal(groups.length, 1)
  group.succeed()
  await nextLoopTick()
  assert.equal(health.problem, undefined)
})

test('writer: a result that arrived while the process stood still counts, although the time is over', async () => {
  const timeoutMs = 20
  const committer: Committer = {
    commit(group) {
      return new Promise((resolve) => {
        // The event loop hears of the result together with the end of the time.
        setImmediate(() => resolve(group.map(() => ({ value: true }))))
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * timeoutMs)
      })
    },
    async close() {},
  }
  const writer = sqliteWriter(committer, { health: watchHealth('pets.db'), timeoutMs })

  assert.equal(await writer.write(...revoke), true)
})

test('writer: the timeout of a write starts with its arrival', async (t) => {
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer, { health: watchHealth('pets.db'), timeoutMs: 5_000 })
  let now = 0
  t.mock.method(performance, 'now', () => now)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const first = writer.write(...revoke)
  const group = await sent(groups, 0)
  const second = writer.write(...revoke)
  now = 4_000
  t.mock.timers.tick(4_000)
  group.succeed()
  await first
  t.mock.timers.tick(1) // The next group waits for no more.
  await sent(groups, 1)

  t.mock.timers.tick(1_000)

  await assert.rejects(second, { code: 'unavailable' })
})

test('writer: an import may exceed the timeout, while other writes are refused', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer, { health: watchHealth('pets.db'), timeoutMs: 5_000 })
  const importing = writer.write('importPets', { staging: 'a', staged: 0, pets: [], at: 0 })
  const group = await sent(groups, 0)
  const queued = writer.write(...revoke)
  const next = writer.write('stagePets', { staging: 'b', pets: [] })

  t.mock.timers.tick(5_000)
  await assert.rejects(queued, { code: 'unavailable' })
  group.succeed()
  await importing
  t.mock.timers.tick(1)
  ;(await sent(groups, 1)).succeed()

  assert.equal(await importing, true)
  await next
})

test('writer: closing does not wait for a group that takes too long', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { committer, groups } = heldCommitter()
  const writer = sqliteWriter(committer, { health: watchHealth('pets.db'), timeoutMs: 5_000 })
  const write = writer.write(...revoke)
  await sent(groups, 0)
  const closing = writer.close()

  t.mock.timers.tick(5_000)

  await assert.rejects(write, { code: 'unavailable' })
  await closing
})

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

function outcomesOf({ stored, failed, unknown, refused }: WriterStats) {
  return { stored, failed, unknown, refused }
}
