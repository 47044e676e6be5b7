import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { BulkForecast, BulkResult } from '../../src/contract/bulk.ts'
import { encodeCursor } from '../../src/http/replies/cursor.ts'
import { petScope } from '../../src/http/routes/pets.ts'
import type { Events } from '../../src/inventory/events.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { type Engine, engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { type EventStream, followEvents } from '../support/event-stream.ts'

const rex = { name: 'one', categoryId: 1n } as const

for (const engine of engines) {
  for (const path of ['/v1/pets?limit=2', '/v1/pets?status=pending&limit=2', '/v1/store/orders?limit=2']) {
    test(`${engine.name}: a cursor of another lineage goes on from its id: ${path}`, async (t) => {
      const one = await startApp(t, { engine })
      const other = await startApp(t, { engine })
      for (const app of [one, other]) await addOrders(app, 5)
      const next = await nextOf(one, path)

      const ids = async (app: TestApp) => ((await app.send(next)).body as { id: number }[]).map(({ id }) => id)

      assert.deepEqual(
        [await ids(one), await ids(other)],
        [
          [3, 4],
          [3, 4],
        ],
      )
    })
  }
}

for (const engine of engines) {
  test(`${engine.name}: a position of another lineage is gone, for a page of events and for a stream`, async (t) => {
    const one = await startApp(t, { engine })
    const other = await startApp(t, { engine })
    for (const app of [one, other]) await addOrders(app, 3)
    const next = await nextOf(one, '/v1/events?limit=2')
    const position = new URLSearchParams(next.split('?')[1]).get('after') ?? ''

    assert.match(position, /^2-\w{8}$/)
    assertError(await other.send(next), 'gone')
    assertError(await other.send(next, { headers: { accept: 'text/event-stream' } }), 'gone')
    const headers = { accept: 'text/event-stream', 'last-event-id': position }
    assertError(await other.send('/v1/events', { headers }), 'gone')
    assert.equal(((await one.send(next)).body as unknown[]).length, 2)
  })

  test(`${engine.name}: a stream ends when its lineage is lost, and its reconnect is refused`, async (t) => {
    const { app, one, switchToOther } = await startOnTwo(t, engine)
    const stream = await followEvents(t, app)
    await one.pets.create(rex)
    await stream.until(() => stream.events.length === 1)

    switchToOther()
    const isWhole = await stream.ended

    assert.equal(isWhole, true)
    assert.deepEqual(namesIn(stream), ['one'])
    const headers = { accept: 'text/event-stream', 'last-event-id': lastIdOf(stream) }
    assertError(await app.send('/v1/events', { headers }), 'gone')
  })

  test(`${engine.name}: a stream in the new lineage sends no events of the lost one`, async (t) => {
    const { app, one, other, switchToOther } = await startOnTwo(t, engine)
    const before = await followEvents(t, app)
    for (let count = 0; count < 3; count++) await one.pets.create(rex)
    await before.until(() => before.events.length === 3)

    switchToOther()
    // Behind what is kept in memory of the lost lineage.
    const after = await followEvents(t, { ...app, path: '/v1/events?after=4' })
    for (let count = 0; count < 3; count++) await other.pets.create({ ...rex, name: 'other' })
    await after.until(() => after.events.length === 4)

    assert.deepEqual(
      after.events.map(({ sequence, data }) => [Number(sequence), data['name']]),
      [5, 6, 7, 8].map((number) => [number, 'other']),
    )
  })
}

for (const engine of engines) {
  test(`${engine.name}: the cursor of a bulk dry run is refused by a database that has lost its state`, async (t) => {
    const one = await startApp(t, { engine })
    const other = await startApp(t, { engine })
    for (const app of [one, other]) await app.create({ name: 'Rex', categoryId: 1 })
    const body = { filter: { name: 'rex' }, delete: true }
    const { cursor } = (await one.sendJson('POST /v1/pets/bulk', { ...body, dryRun: true })).body as BulkForecast

    for (const more of [{ dryRun: true }, {}]) {
      const refused = await other.sendJson('POST /v1/pets/bulk', { ...body, ...more, cursor })
      assertError(refused, 'invalid_body')
      assert.match((refused.body as { message: string }).message, /^cursor .* lost .*: make the dry run again\.$/)
    }
    assert.equal(await other.storage.pets.count({}), 1n)
    // Events that have expired lose nothing of it.
    await one.sendJson('PATCH /v1/pets/1', { status: 'sold' })
    await one.storage.events.forget(Date.now() + 1_000)
    const { changed } = (await one.sendJson('POST /v1/pets/bulk', { ...body, cursor })).body as BulkResult
    assert.equal(changed, 1)
  })

  test(`${engine.name}: next of a bulk change after a dry run is refused by a database that has lost its state`, async (t) => {
    const one = await startApp(t, { engine })
    const other = await startApp(t, { engine })
    const pets = Array.from({ length: 1_001 }, () => ({ name: 'Rex', categoryId: 1n }))
    for (const { storage } of [one, other]) await storage.imports.add(pets)
    const body = { filter: { categoryId: 1 }, delete: true }
    const { cursor } = (await one.sendJson('POST /v1/pets/bulk', { ...body, dryRun: true })).body as BulkForecast
    const { next } = (await one.sendJson('POST /v1/pets/bulk', { ...body, cursor })).body as BulkResult

    assertError(await other.sendJson('POST /v1/pets/bulk', { ...body, cursor: next }), 'invalid_body')
    const { changed } = (await one.sendJson('POST /v1/pets/bulk', { ...body, cursor: next })).body as BulkResult
    assert.equal(changed, 1)
  })
}

test('position 0 of any lineage starts with the oldest event', async (t) => {
  const { send, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })

  assert.equal(((await send('/v1/events?after=0-abcdefgh')).body as unknown[]).length, 1)
})

test('a cursor whose id was never assigned is the end of the list', async (t) => {
  const app = await startApp(t)
  await addOrders(app, 3)

  const next = await app.send(`/v1/pets?cursor=${encodeCursor({ id: 1n }, petScope({}))}`)
  const beyond = await app.send(`/v1/pets?cursor=${encodeCursor({ id: 4n }, petScope({}))}`)

  assert.deepEqual(
    (next.body as { id: number }[]).map(({ id }) => id),
    [2, 3],
  )
  assert.deepEqual([beyond.status, beyond.body], [200, []])
})

/** The edge on a storage with five animals, which becomes another one, with five others. */
async function startOnTwo(t: TestContext, engine: Engine) {
  const [one, other] = await Promise.all([engine.open(t), engine.open(t)])
  for (let count = 0; count < 5; count++) {
    await one.pets.create({ ...rex, name: 'one' })
    await other.pets.create({ ...rex, name: 'other' })
  }
  let current = one
  const events: Events = {
    list: (...asked) => current.events.list(...asked),
    listBackwards: (...asked) => current.events.listBackwards(...asked),
    latest: () => current.events.latest(),
    forget: (...asked) => current.events.forget(...asked),
  }
  const app = await startApp(t, { storage: { ...one, events } })
  return { app, one, other, switchToOther: () => void (current = other) }
}

function namesIn({ events }: EventStream): unknown[] {
  return events.map(({ data }) => data['name'])
}

/** What a browser would send as Last-Event-ID. */
function lastIdOf(stream: EventStream): string {
  return (
    stream
      .text()
      .match(/(?<=^id: ).*$/gm)
      ?.at(-1) ?? ''
  )
}

async function addOrders({ create, sendJson }: TestApp, count: number): Promise<void> {
  for (let petId = 1; petId <= count; petId++) {
    await create({ name: 'Rex', categoryId: 1, status: 'available' })
    await sendJson('POST /v1/store/orders', { petId })
  }
}

/** What follows the origin in the link to the next page. */
async function nextOf({ send }: TestApp, path: string): Promise<string> {
  const { pathname, search } = new URL(
    /<([^>]+)>; rel="next"/.exec((await send(path)).headers.get('link') ?? '')?.[1] ?? '',
  )
  return pathname + search
}
