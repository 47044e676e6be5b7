import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeAuthor, maxEventsSearched } from '../../src/contract/event.ts'
import type { EventFilter, Events } from '../../src/inventory/events.ts'
import { engines } from '../support/engines.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
const ada = encodeAuthor({ keyId: 'key_ada', keyName: 'Ada' })
const bob = encodeAuthor({ keyId: 'key_ad', keyName: 'key_ada' })

for (const engine of engines) {
  test(`${engine.name}: events are found by type, key and time, and by all together, in both directions`, async (t) => {
    let now = 0
    const { events, pets, orders } = await engine.open(t, () => now)
    const steps = [
      () => pets.create(rex, undefined, ada), // 1
      () => pets.create(rex, undefined, bob), // 2
      () => pets.update(1n, { name: 'Max' }, undefined, ada), // 3
      () => orders.place({ petId: 2n }, undefined, bob), // 4 and 5
      () => pets.remove(1n, undefined, ada), // 6
      () => pets.create(rex), // 7
    ]
    for (const step of steps) {
      now += 10
      await step()
    }

    const expected: [EventFilter, number[]][] = [
      [{ type: 'pet.created' }, [1, 2, 7]],
      [{ type: 'order.cancelled' }, []],
      [{ keyId: 'key_ada' }, [1, 3, 6]],
      [{ keyId: 'key_ad' }, [2, 4, 5]],
      [{ keyId: 'key' }, []],
      [{ from: 30 }, [3, 4, 5, 6, 7]],
      [{ to: 30 }, [1, 2]],
      [{ from: 20, to: 40 }, [2, 3]],
      [{ from: 31, to: 40 }, []],
      [{ type: 'pet.updated', keyId: 'key_ada', from: 10, to: 100 }, [3]],
      [{ petId: 1n, type: 'pet.deleted' }, [6]],
      [{ orderId: 1n, from: 41 }, []],
    ]
    for (const [filter, ids] of expected) {
      for (const limit of [1, 2, 100]) {
        assert.deepEqual(
          await readAll(events.list, limit, filter),
          ids,
          JSON.stringify(Object.entries(filter).map(String)),
        )
        assert.deepEqual(await readAll(events.listBackwards, limit, filter), ids.toReversed())
      }
    }
  })

  test(`${engine.name}: filters hold from 0 on too, when older events have expired`, async (t) => {
    let now = 0
    const { events, pets } = await engine.open(t, () => now)
    for (const author of [ada, ada, bob, ada, ada]) {
      now += 10
      await pets.create(rex, undefined, author)
    }
    await events.forget(20)

    const [first, none] = [
      await events.list(1, 0n, undefined, { keyId: 'key_ada' }),
      await events.list(1, 0n, undefined, { type: 'pet.deleted' }),
    ]

    assert.deepEqual([first.items.map(({ id }) => id), first.missed, first.more, first.end], [[2n], true, true, 2n])
    assert.deepEqual([none.items, none.missed, none.more, none.end], [[], true, false, 5n])
  })

  test(`${engine.name}: a page of all matching events has no next one, also if it is full`, async (t) => {
    const { events, pets } = await engine.open(t)
    for (let count = 0; count < 2; count++) await pets.create(rex)
    await pets.remove(1n)

    const [full, less] = [
      await events.list(2, undefined, undefined, { type: 'pet.created' }),
      await events.list(1, undefined, undefined, { type: 'pet.created' }),
    ]

    assert.deepEqual([full.items.length, full.more, full.end], [2, false, 3n])
    assert.deepEqual([less.items.length, less.more, less.end], [1, true, 1n])
  })

  test(`${engine.name}: a filter that matches nothing reads a limited number of events at a time`, async (t) => {
    const { events, imports } = await engine.open(t)
    for (let batch = 0; batch < 3; batch++) await imports.add(Array.from({ length: maxEventsSearched / 2 }, () => rex))

    const first = await events.list(10, undefined, undefined, { type: 'pet.deleted' })
    const second = await events.list(10, first.end, first.lineage, { type: 'pet.deleted' })
    const backwards = await events.listBackwards(10, undefined, undefined, { type: 'pet.deleted' })

    assert.deepEqual([first.items, first.more, first.end], [[], true, BigInt(maxEventsSearched)])
    assert.deepEqual([second.items, second.more, second.end], [[], false, BigInt(maxEventsSearched * 1.5)])
    assert.deepEqual([backwards.items, backwards.more, backwards.end], [[], true, BigInt(maxEventsSearched / 2 + 1)])
  })

  test(`${engine.name}: a filter with a position that has expired or was lost has missed events`, async (t) => {
    const { events, pets } = await engine.open(t, () => 10)
    for (let count = 0; count < 3; count++) await pets.create(rex)
    await events.forget(11)
    await pets.create(rex)

    const expired = await events.list(10, 1n, undefined, { type: 'pet.created' })
    const lost = await events.list(10, 1n, 'abcdefgh', { type: 'pet.created' })
    const oldest = await events.list(10, undefined, undefined, { type: 'pet.created' })

    assert.deepEqual([expired.missed, lost.missed, oldest.missed], [true, true, false])
    assert.deepEqual(
      oldest.items.map(({ id }) => id),
      [4n],
    )
  })
}

/** The ids of all events that match, page by page. */
async function readAll(list: Events['list'], limit: number, filter: EventFilter): Promise<number[]> {
  const ids: number[] = []
  let after: bigint | undefined
  let lineage: string | undefined
  for (;;) {
    const page = await list(limit, after, lineage, filter)
    assert.ok(page.items.length <= limit)
    assert.ok(page.end !== after, 'the next page is the same')
    ids.push(...page.items.map(({ id }) => Number(id)))
    if (!page.more) return ids
    ;({ end: after, lineage } = page)
  }
}
