import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ConnectionError,
  isPetStoreError,
  PetStore,
  type ShopEvent,
  UnexpectedResponseError,
} from '../../client/src/index.ts'
import { startClient } from '../support/client.ts'

const rex = { name: 'Rex', categoryId: 9007199254740993n, status: 'available' } as const
const busy = {
  status: 503,
  headers: { 'content-type': 'application/json', 'retry-after': '0' },
  body: '{"code":"unavailable","message":"Busy.","status":503}',
}

test('what happened is told in its order, and each kind of it has its data', async (t) => {
  const { petstore } = await startClient(t)
  await petstore.pets.create(rex)
  await petstore.orders.place({ petId: 1 })

  const told = await take(petstore.events.follow({ after: 0 }), 3)

  assert.deepEqual(
    told.map(({ id, type }) => [id, type]),
    [
      ['1', 'petstore.pet.created'],
      ['2', 'petstore.pet.updated'],
      ['3', 'petstore.order.placed'],
    ],
  )
  const [created] = told
  assert.equal(created?.type === 'petstore.pet.created' && created.data.categoryId, 9007199254740993n)
})

test('without a place to start from, what happens from now on is told', async (t) => {
  const { petstore, proxy } = await startClient(t)
  await petstore.pets.create(rex)
  const coming = take(petstore.events, 1)
  await proxy.untilAnswered(2)

  await petstore.pets.delete(1)

  assert.deepEqual(
    (await coming).map(({ type, subject }) => [type, subject]),
    [['petstore.pet.deleted', 'pets/1']],
  )
})

test('a list of events ends with the last one', async (t) => {
  const { petstore } = await startClient(t)
  for (let id = 1; id <= 5; id++) await petstore.pets.create(rex)

  const events = await Array.fromAsync(petstore.events.list({ after: 1, limit: 2 }))

  assert.deepEqual(
    events.map(({ id }) => id),
    ['2', '3', '4', '5'],
  )
})

test('however often the connection breaks, no event is lost and none is repeated', async (t) => {
  const { petstore, proxy, service } = await startClient(t)
  const told = take(petstore.events.follow({ after: '0' }), 60)
  void told.catch(() => undefined)

  for (let id = 1; id <= 60; id++) {
    await service.create({ name: `Pet ${id}`, categoryId: 1 })
    if (id % 20 === 0) {
      proxy.next('reset', busy)
      proxy.cut()
      await sleep(20)
    }
  }

  assert.deepEqual(
    (await told).map(({ id }) => id),
    Array.from({ length: 60 }, (_, index) => String(index + 1)),
  )
  assert.ok(proxy.requests.length >= 4)
})

test('a connection that breaks before the first event loses none either', async (t) => {
  const { petstore, proxy, service } = await startClient(t)
  await service.create(JSON.stringify({ name: 'Old', categoryId: 1 }))
  const coming = take(petstore.events, 1)
  await proxy.untilAnswered(1)
  await sleep(50)

  proxy.cut()
  await service.create(JSON.stringify({ name: 'New', categoryId: 1 }))

  assert.deepEqual(
    (await coming).map(({ id }) => id),
    ['2'],
  )
})

test('a connection that fell silent is made anew', async (t) => {
  const lastEventIds: unknown[] = []
  const server = createServer((request, response) => {
    lastEventIds.push(request.headers['last-event-id'])
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`retry: 1\nid: 7\n\n`)
    if (lastEventIds.length === 3) response.write('id: 8\ndata: {"id":"8"}\n\n')
  }).listen(0, '127.0.0.1')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  const petstore = new PetStore({ baseUrl: `http://127.0.0.1:${addressOf(server)}/v1`, apiKey: 'key' })

  const told = await take(petstore.events.follow({ maxSilenceMs: 50 }), 1)

  assert.deepEqual(told, [{ id: '8' }])
  assert.deepEqual(lastEventIds, [undefined, '7', '7'])
})

test('who missed events that are not kept any more is told so', async (t) => {
  const { petstore, service } = await startClient(t)
  for (let id = 1; id <= 3; id++) await petstore.pets.create(rex)
  await service.storage.events.forget(Date.now() + 1000)

  await assert.rejects(take(petstore.events.follow({ after: 1 }), 1), (error) => isPetStoreError(error, 'gone'))
})

test('a key that is not valid ends it', async (t) => {
  const { petstore } = await startClient(t, { apiKey: 'pet_live_unknown' })

  await assert.rejects(take(petstore.events, 1), (error) => isPetStoreError(error, 'unauthorized'))
})

test('a service that is not there from the start ends it', async (t) => {
  const { petstore, proxy } = await startClient(t, { retry: { maxAttempts: 2 } })
  proxy.next('reset', 'reset')

  await assert.rejects(take(petstore.events, 1), ConnectionError)
})

test('an answer that is no stream ends it', async (t) => {
  const { petstore, proxy } = await startClient(t)
  proxy.next({ status: 200, headers: { 'content-type': 'application/json' }, body: '[]' })

  await assert.rejects(take(petstore.events, 1), UnexpectedResponseError)
})

test('who aborts gets the reason back, and the connection is closed', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const aborter = new AbortController()
  const reason = new Error('Enough.')
  const coming = take(petstore.events.follow({ signal: aborter.signal }), 1)
  await proxy.untilAnswered(1)

  aborter.abort(reason)

  await assert.rejects(coming, (error) => error === reason)
  while (proxy.open > 0) await sleep(5)
})

test('who leaves the loop closes the connection', async (t) => {
  const { petstore, proxy } = await startClient(t)
  await petstore.pets.create(rex)

  await take(petstore.events.follow({ after: 0 }), 1)

  while (proxy.open > 0) await sleep(5)
})

async function take(events: AsyncIterable<ShopEvent>, count: number): Promise<ShopEvent[]> {
  const taken: ShopEvent[] = []
  for await (const event of events) {
    taken.push(event)
    if (taken.length === count) break
  }
  return taken
}

function addressOf(server: ReturnType<typeof createServer>): number {
  return (server.address() as { port: number }).port
}
