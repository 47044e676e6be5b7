import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextLoopTick } from 'node:timers/promises'
import { type EventReader, eventFeed } from '../../../src/http/events/event-feed.ts'
import type { Events } from '../../../src/inventory/events.ts'
import { startApp } from '../../support/app.ts'
import { engines, sqliteInMemory } from '../../support/engines.ts'
import { followEvents } from '../../support/event-stream.ts'
import { until } from '../../support/until.ts'

for (const engine of engines) {
  test(`${engine.name}: other requests are answered while many streams catch up`, async (t) => {
    const storage = await engine.open(t)
    await storage.imports.add(Array.from({ length: 3_000 }, () => ({ name: 'Rex', categoryId: 1n })))
    const ticks = countTicks()
    const pages = new Map<number, number>()
    const events: Events = {
      ...storage.events,
      list(limit, after, history) {
        if (limit > 1) pages.set(ticks.count, (pages.get(ticks.count) ?? 0) + 1)
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
    ticks.stop()

    // Eight for those that catch up, and one for those that have.
    assert.ok(Math.max(...pages.values()) <= 9, `${Math.max(...pages.values())} pages in one tick`)
    assert.ok(answered > 10, `${answered} requests were answered`)
  })
}

test('sending an event to many readers yields to the event loop', async (t) => {
  const { events, pets } = await sqliteInMemory.open(t)
  const feed = eventFeed(events, '/v1')
  t.after(() => feed.close())
  const sentIn: number[] = []
  const ticks = countTicks()
  for (let count = 0; count < 50; count++) {
    const reader: EventReader = {
      after: { id: 0n },
      canTake: () => true,
      send() {
        const end = performance.now() + 2
        while (performance.now() < end);
        sentIn.push(ticks.count)
      },
      writable: async () => true,
      end: assert.fail,
    }
    feed.follow(reader)
  }
  // So that all of them wait for what comes.
  for (let count = 0; count < 50; count++) await nextLoopTick()

  await pets.create({ name: 'Rex', categoryId: 1n })
  await until(() => sentIn.length === 50)
  ticks.stop()

  assert.ok(new Set(sentIn).size >= 10, `sent in ${new Set(sentIn).size} ticks`)
})

/** Counts the ticks of the event loop. */
function countTicks() {
  const ticks = { count: 0, stop: () => clearImmediate(next) }
  let next = setImmediate(function count() {
    ticks.count++
    next = setImmediate(count)
  })
  return ticks
}
