import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as tick } from 'node:timers/promises'
import type { ShopEvent } from '../../src/contract/event.ts'
import type { Events } from '../../src/inventory/events.ts'
import { eventReader } from '../../src/webhooks/event-reader.ts'

const last = 2_000

/** A feed of events whose data have so many characters, and what was read of it. */
function feed(length: number) {
  const reads: { events: number; atOnce: number }[] = []
  let running = 0
  const list: Events['list'] = async (limit, after = 0n) => {
    running++
    const count = Math.min(limit, last - Number(after))
    reads.push({ events: count, atOnce: running })
    await tick()
    running--
    const items = Array.from({ length: count }, (_, index) => eventOf(after + BigInt(index + 1), length))
    return { items, more: true, missed: false }
  }
  return { reads, events: { list, latest: async () => ({ id: BigInt(last), lineage: 'a' }) } }
}

function eventOf(id: bigint, length: number): ShopEvent {
  return { id, type: 'pet.created', subject: 1n, at: 0, data: 'x'.repeat(length) } as unknown as ShopEvent
}

/** Endpoints that are behind at 20 places take the events of ten positions, each after the other. */
async function catchUp(length: number) {
  const { events, reads } = feed(length)
  const reader = eventReader(events, '/v1')
  await reader.begin()
  const found = await Promise.all(
    Array.from({ length: 20 }, async (_, place) => {
      const ids: bigint[] = []
      let position = BigInt(place * 90)
      while (ids.length < 10) {
        const { event } = await reader.findNext(position, () => true)
        position = event?.id ?? 0n
        ids.push(position)
      }
      return ids
    }),
  )
  return { found, reads }
}

test('endpoints that are behind read large events a few at a time, one page after the other', async () => {
  const { found, reads } = await catchUp(60_000)

  for (const [place, ids] of found.entries()) {
    assert.deepEqual(
      ids,
      Array.from({ length: 10 }, (_, index) => BigInt(place * 90 + index + 1)),
    )
  }
  assert.deepEqual(
    reads.map(({ atOnce }) => atOnce),
    reads.map(() => 1),
  )
  // The first page shows how large they are.
  assert.ok(
    reads.slice(1).every((read) => read.events <= 2),
    JSON.stringify(reads.slice(0, 5)),
  )
})

test('endpoints that are behind read small events by the page', async () => {
  const { reads } = await catchUp(100)

  assert.ok(reads.length <= 20, `${reads.length} pages`)
})
