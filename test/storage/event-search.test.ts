import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShopEvent } from '../../src/contract/event.ts'
import { type ListEvents, withEventFilters } from '../../src/storage/shared/reads/find-events.ts'
import { toListedEvent } from '../../src/storage/shared/reads/large-events.ts'

const shown = (id: bigint, type: ShopEvent['type'] = 'pet.created'): ShopEvent => ({
  id,
  type,
  subject: id,
  at: 0,
  data: '{}',
})

/** A list of events of which the even ones match, and what was read of it. It has 100 at a time, as `list` is asked. */
function listOf(last: bigint, missed = [false]) {
  const reads: [limit: number, after: bigint, lineage: string | undefined][] = []
  const list: ListEvents = async (limit, after = 0n, lineage) => {
    const isMissed = missed[Math.min(reads.length, missed.length - 1)] as boolean
    reads.push([limit, after, lineage])
    const end = after + BigInt(limit) < last ? after + BigInt(limit) : last
    const items = Array.from({ length: Number(end - after) }, (_, index) => {
      const id = after + BigInt(index + 1)
      return shown(id, id % 2n === 0n ? 'pet.deleted' : 'pet.created')
    })
    return { items, more: end < last, missed: isMissed, end, lineage: 'k3x9Qa7B' }
  }
  const find = withEventFilters({ list, atOneState: (search) => search(list), readData: async () => new Map() })
  return { reads, find }
}

const deleted = { type: 'pet.deleted' } as const

test('a page has no more matches than its limit, also of several reads, and goes on after its last', async () => {
  const { find, reads } = listOf(1_000n)

  const page = await find(60, undefined, undefined, deleted)

  assert.deepEqual([page.items.length, page.more, page.end, page.lineage], [60, true, 120n, 'k3x9Qa7B'])
  assert.deepEqual(reads, [
    [100, 0n, undefined],
    [100, 100n, 'k3x9Qa7B'],
  ])
})

test('a page that is full at the end of a read needs no other, and goes on from there', async () => {
  const { find, reads } = listOf(1_000n)

  const page = await find(50, undefined, undefined, deleted)

  assert.deepEqual([page.items.length, page.more, page.end, reads.length], [50, true, 100n, 1])
})

test('a full page has a next one only if another event matches, or more could', async () => {
  const pages = await Promise.all(
    [100n, 101n, 102n].map((last) => listOf(last).find(50, undefined, undefined, deleted)),
  )
  const few = await listOf(5n).find(2, undefined, undefined, deleted)

  assert.deepEqual([pages.map(({ more }) => more), few.more], [[false, true, true], false])
})

test('a page says that events were missed if its first read does, whatever the others say', async () => {
  for (const missed of [
    [true, false],
    [false, true],
  ]) {
    const page = await listOf(150n, missed).find(100, 1n, undefined, deleted)
    assert.equal(page.missed, missed[0])
  }
})

test('a list without a filter is read once, with its own limit', async () => {
  const { find, reads } = listOf(1_000n)

  const page = await find(5, 7n, 'k3x9Qa7B')

  assert.deepEqual([page.items.length, page.end, reads], [5, 12n, [[5, 7n, 'k3x9Qa7B']]])
})

test('a search reads large data of the events that it has found, when there is room for them', async () => {
  const row = (id: bigint, type: ShopEvent['type']) => toListedEvent([id, type, id, 0n, null, null, 50_000n])
  const list: ListEvents = async () => ({
    items: [row(1n, 'pet.created'), row(2n, 'pet.deleted'), row(3n, 'pet.created')],
    more: false,
    missed: false,
  })
  const done: string[] = []
  const caller = {
    id: 'a',
    signal: new AbortController().signal,
    tryReserve: () => assert.fail('a state is not held any more'),
    reserve: async (bytes: number) => void done.push(`reserve ${bytes}`),
  }

  const page = await withEventFilters({
    list,
    atOneState: (search) => search(list),
    async readData(ids) {
      done.push(`read ${ids.join()}`)
      return new Map(ids.map((id) => [id, `{"id":${id}}`]))
    },
  })(10, undefined, undefined, { type: 'pet.created' }, caller)

  assert.deepEqual(
    page.items.map(({ data }) => data),
    ['{"id":1}', '{"id":3}'],
  )
  assert.deepEqual(done, ['reserve 100000', 'read 1,3'])
})

test('a page of large events is read again if one of them expires meanwhile', async () => {
  let oldest = 1n
  const list: ListEvents = async () => ({
    items: [1n, 2n]
      .filter((id) => id >= oldest)
      .map((id) => toListedEvent([id, 'pet.created', id, 0n, null, null, 2_000n])),
    more: false,
    missed: false,
  })

  const page = await withEventFilters({
    list,
    atOneState: (search) => search(list),
    async readData(ids) {
      oldest = 2n
      return new Map(ids.filter((id) => id >= oldest).map((id) => [id, '{}']))
    },
  })(10)

  assert.deepEqual(
    page.items.map(({ id }) => id),
    [2n],
  )
})

test('a page of events that were filtered is read from one state', async () => {
  const held: ListEvents = async (_limit, after = 0n) => ({
    items: [shown(after + 1n)],
    more: after < 2n,
    missed: false,
    end: after + 1n,
  })
  let states = 0

  const page = await withEventFilters({
    list: () => assert.fail('the newest state was read'),
    atOneState: (search) => {
      states++
      return search(held)
    },
    readData: async () => new Map(),
  })(10, undefined, undefined, { from: 0 })

  assert.deepEqual([page.items.map(({ id }) => id), states], [[1n, 2n, 3n], 1])
})
