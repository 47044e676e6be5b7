import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchHealth } from '../../src/storage/sqlite/connection/health.ts'
import { type Committer, sqliteWriter } from '../../src/storage/sqlite/writes/writer.ts'
import { heldCommitter, nextLoopTick, revoke, sent } from '../support/write-groups.ts'

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
