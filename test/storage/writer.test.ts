import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchHealth } from '../../src/storage/sqlite/connection/health.ts'
import { costOf } from '../../src/storage/postgres/writes/writes.ts'
import { manyChanges } from '../../src/storage/shared/ports/change-many.ts'
import type { Engine } from '../../src/storage/shared/ports/engine.ts'
import { sqliteWriter } from '../../src/storage/sqlite/writes/writer.ts'
import { heldCommitter, nextLoopTick, revoke, sent } from '../support/write-groups.ts'

const largePet = ['createPet', { pet: { name: 'é'.repeat(32_760), categoryId: 1n }, at: 0 }] as const

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
