import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type EventReader, eventFeed } from '../../src/http/events/event-feed.ts'
import type { Events } from '../../src/inventory/events.ts'
import { startApp } from '../support/app.ts'
import { engines, sqliteInMemory } from '../support/engines.ts'
import { followEvents } from '../support/event-stream.ts'
import { until } from '../support/until.ts'

for (const engine of engines) {
  test(`${engine.name}: other requests are answered while many streams catch up`, async (t) => {
    const storage = await engine.open(t)
    await storage.imports.add(Array.from({ length: 3_000 }, () => ({ name: 'Rex', categoryId: 1n })))
    const turns = countTurns()
    const pages = new Map<number, number>()
    const events: Events = {
      ...storage.events,
      list(limit, after, history) {
        if (limit > 1) pages.set(turns.count, (pages.get(turns.count) ?? 0) + 1)
        return storage.events.list(limit, after, history)
      },
    }
    const app = await startApp(t, { storage: { ...storage, events } })
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => followEvents(t, { ...app, path: '/v1/events?after=0' })),
    )

    let answered = 0
    const isDone = () => streams.every((stream) => stream.events.length === 3_000)
    while (!isDone()) {
      assert.equal((await app.send('/v1/pets?limit=1')).status, 200)
      answered++
    }
    turns.stop()

    // Eight for those that catch up, and one for those that have.
    assert.ok(Math.max(...pages.values()) <= 9, `${Math.max(...pages.values())} pages in one turn`)
    assert.ok(answered > 10, `${answered} requests were answered`)
  })
}

test('sending an event to many readers yields to the event loop', async (t) => {
  const { events, pets } = await sqliteInMemory.open(t)
  const feed = eventFeed(events, '/v1')
  t.after(() => feed.close())
  const sentIn: number[] = []
  const turns = countTurns()
  for (let count = 0; count < 50; count++) {
    const reader: EventReader = {
      after: { id: 0n },
      canTake: () => true,
      send() {
        const end = performance.now() + 2
        while (performance.now() < end);
        sentIn.push(turns.count)
      },
      writable: async () => true,
      end: assert.fail,
    }
    feed.follow(reader)
  }
  // So that all of them wait for what comes.
  for (let count = 0; count < 50; count++) await nextTurn()

  await pets.create({ name: 'Rex', categoryId: 1n })
  await until(() => sentIn.length === 50)
  turns.stop()

  assert.ok(new Set(sentIn).size >= 10, `sent in ${new Set(sentIn).size} turns`)
})

/** Counts the turns of the event loop. */
function countTurns() {
  const turns = { count: 0, stop: () => clearImmediate(next) }
  let next = setImmediate(function count() {
    turns.count++
    next = setImmediate(count)
  })
  return turns
}
