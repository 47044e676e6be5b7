import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startApp } from '../../support/app.ts'
import { sqlite, sqliteInMemory } from '../../support/engines.ts'
import { type EventStream, followEvents, numberOf, openUnread } from '../../support/event-stream.ts'
import { until } from '../../support/until.ts'

for (const engine of [sqliteInMemory, sqlite]) {
  test(`${engine.name}: 1,000 streams get every event`, async (t) => {
    const app = await startApp(t, { engine })
    const streams: EventStream[] = []
    for (let batch = 0; batch < 10; batch++)
      streams.push(...(await Promise.all(Array.from({ length: 100 }, () => followEvents(t, app)))))

    for (let count = 0; count < 20; count++) await app.create({ name: `Rex ${count}`, categoryId: 1 })
    await Promise.all(streams.map((stream) => stream.until(() => stream.events.length === 20)))

    const expected = Array.from({ length: 20 }, (_, index) => String(index + 1))
    for (const { events } of streams) assert.deepEqual(events.map(numberOf), expected)
    for (const stream of streams) stream.leave()
  })
}

test('shared frames count once', async (t) => {
  // A thousand characters that take six bytes each as JSON.
  const pets = Array.from({ length: 100 }, () => ({ name: '\u0001'.repeat(1000), categoryId: 1n }))
  // What each waits for is more than this, and none of it is its own.
  const connectionLimits = { maxUnsentBytes: 256 * 1024 }
  const streamLimits = { maxBufferedBytes: 4 * 1024 * 1024 }
  // On a slow machine, too, nobody is cut for taking nothing for two heartbeats.
  const app = await startApp(t, { heartbeatMs: 600_000, streamLimits, connectionLimits })
  const sockets: Socket[] = []
  app.app.server.on('connection', (socket) => sockets.push(socket))
  await Promise.all(Array.from({ length: 100 }, () => openUnread(t, app)))
  await until(() => app.streams.open === 100)

  await until(async () => {
    await app.storage.imports.add(pets)
    await wait(150)
    return sockets.every(({ writableLength }) => writableLength > 0)
  }, 240_000)

  // 100 times 16 KiB and more. The check of what connections have not sent runs every 100 ms.
  await wait(300)
  assert.deepEqual(app.streams.ended, [])
})
