import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Events } from '../../src/inventory/events.ts'
import { startApp } from '../support/app.ts'
import { engines, type Engine } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { type EventStream, followEvents, numberOf } from '../support/event-stream.ts'

for (const engine of engines) {
  test(`${engine.name}: a stream ends if its next events expire while it catches up, and the reconnect is 410`, async (t) => {
    const { app, storage, intercept } = await startIntercepted(t, engine)
    await addAnimals(storage.imports, 1_000)
    // As if the service had been busy elsewhere for a month between the first page and the second.
    intercept(async (limit, after) => {
      const page = await storage.events.list(limit, after)
      if (limit > 1) await forgetAll(storage.events)
      return page
    })

    const stream = await followEvents(t, { ...app, path: '/v1/events?after=0' })

    assert.equal(await stream.ended, true)
    assertFirst(stream)
    assert.ok(stream.events.length < 1_000)
    await assertGone(app, stream)
  })

  test(`${engine.name}: a stream ends if its next events expire before they are sent, and the reconnect is 410`, async (t) => {
    const { app, storage, intercept } = await startIntercepted(t, engine)
    const streams = await Promise.all([followEvents(t, app), followEvents(t, app)])
    await app.create({ name: 'Rex', categoryId: 1 })
    await Promise.all(streams.map((stream) => stream.until(() => stream.events.length === 1)))

    intercept(() => Promise.reject(new Error('the disk is gone')))
    await app.create({ name: 'Tom', categoryId: 1 })
    await forgetAll(storage.events)
    await app.create({ name: 'Kim', categoryId: 1 })
    intercept(storage.events.list)

    for (const stream of streams) {
      assert.equal(await stream.ended, true)
      assertFirst(stream)
      await assertGone(app, stream)
    }
  })

  test(`${engine.name}: after=0 starts with the oldest stored event`, async (t) => {
    const { app, storage } = await startIntercepted(t, engine)
    await addAnimals(storage.imports, 3)
    await forgetAll(storage.events)
    const early = await followEvents(t, { ...app, path: '/v1/events?after=0' })

    await app.create({ name: 'Rex', categoryId: 1 })
    await early.until(() => early.events.length === 1)
    const late = await followEvents(t, { ...app, path: '/v1/events?after=0' })
    await late.until(() => late.events.length === 1)

    assert.match(early.text(), /^retry: 1000\nid: 3-\w+\n\nid: 4-\w+\n/)
    assert.match(late.text(), /^retry: 1000\nid: 3-\w+\n\nid: 4-\w+\n/)
  })
}

type List = Events['list']

/** The edge over a storage whose list of events can be replaced. */
async function startIntercepted(t: TestContext, engine: Engine) {
  const storage = await engine.open(t)
  let { list } = storage.events
  const events: Events = { ...storage.events, list: (limit, after, history) => list(limit, after, history) }
  const app = await startApp(t, { storage: { ...storage, events } })
  return { app, storage, intercept: (replacement: List) => void (list = replacement) }
}

async function addAnimals(imports: Awaited<ReturnType<Engine['open']>>['imports'], count: number): Promise<void> {
  await imports.add(Array.from({ length: count }, () => ({ name: 'Rex', categoryId: 1n })))
}

async function forgetAll(events: Events): Promise<void> {
  while ((await events.forget(Date.now() + 86_400_000)) > 0);
}

/** The stream had the first events, one after the other. */
function assertFirst({ events }: EventStream): void {
  assert.ok(events.length > 0)
  assert.deepEqual(
    events.map(numberOf),
    events.map((_, index) => String(index + 1)),
  )
}

async function assertGone(app: Awaited<ReturnType<typeof startApp>>, { events }: EventStream): Promise<void> {
  const headers = { accept: 'text/event-stream', 'last-event-id': events.at(-1)?.id ?? '' }
  assertError(await app.send('/v1/events', { headers }), 'gone')
}
