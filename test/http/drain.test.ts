import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { AppOptions } from '../../src/http/app.ts'
import { rawRequest, readAnswers, startApp, type TestApp } from '../support/app.ts'
import { sqliteInMemory } from '../support/engines.ts'
import { holdLists } from '../support/held-lists.ts'

interface Client {
  socket: Socket
  /** All that has arrived. */
  received(): string
  /** Resolves to the statuses and `Connection` headers of so many answers. */
  answers(count: number): Promise<[status: number, connection: string | null][]>
}

async function open({ app, origin }: TestApp): Promise<Client> {
  const accepted = once(app.server, 'connection')
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  await accepted
  return {
    socket,
    received: () => received,
    async answers(count) {
      while (received.split('HTTP/1.1 ').length - 1 < count || !/[\]}]$/.test(received)) await once(socket, 'data')
      return readAnswers(received).map(({ status, headers }) => [status, headers.get('connection')])
    },
  }
}

function list({ key }: TestApp): string {
  return rawRequest('GET /v1/pets', ['Host: petstore', `Authorization: Bearer ${key}`])
}

/** Begins to stop, and returns once the port is closed and clients are asked to reconnect. */
async function startDraining({ app }: TestApp): Promise<{ cut: Promise<number> }> {
  const cut = app.drain()
  while (app.server.listening) await setImmediate()
  await setImmediate()
  return { cut }
}

/** A service whose lists wait until they may be answered. */
async function startSlow(t: TestContext, options: Partial<AppOptions> = {}) {
  const { storage, asked, answer } = holdLists(await sqliteInMemory.open(t))
  return { app: await startApp(t, { ...options, storage }), asked, answer }
}

test('a pending response is sent with Connection: close when the service stops', async (t) => {
  const { app, asked, answer } = await startSlow(t)
  const client = await open(app)
  client.socket.write(list(app))
  await asked

  const { cut } = await startDraining(app)
  answer()

  assert.deepEqual(await client.answers(1), [[200, 'close']])
  assert.equal(await cut, 0)
})

test('a request that arrives on an idle connection while the service stops is answered', async (t) => {
  const app = await startApp(t)
  for (let times = 0; times < 3; times++) await app.send('/v1/pets')
  const client = await open(app)
  client.socket.write(list(app))
  await client.answers(1)

  const { cut } = await startDraining(app)
  client.socket.write(list(app))

  assert.deepEqual(await client.answers(2), [
    [200, 'keep-alive'],
    [200, 'close'],
  ])
  assert.equal(await cut, 0)
})

test('a first request on a connection that was made before the service stops is answered', async (t) => {
  const app = await startApp(t)
  const client = await open(app)

  const { cut } = await startDraining(app)
  client.socket.write(list(app))

  assert.deepEqual(await client.answers(1), [[200, 'close']])
  assert.equal(await cut, 0)
})

test('a stopping service starts no stream, so a client learns at once that it is gone', async (t) => {
  const app = await startApp(t)
  const client = await open(app)
  const stream = ['Host: petstore', `Authorization: Bearer ${app.key}`, 'Accept: text/event-stream']

  const { cut } = await startDraining(app)
  client.socket.write(rawRequest('GET /v1/events', stream))

  assert.deepEqual(await client.answers(1), [[503, 'close']])
  assert.equal(await cut, 0)
})

test('all connections that wait to be accepted when the service stops are answered', async (t) => {
  const app = await startApp(t)
  const port = Number(new URL(app.origin).port)
  let answered = 0

  // All are made before the event loop runs again.
  const ends = Array.from({ length: 400 }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.once('data', () => answered++)
    socket.end(list(app))
    return new Promise((resolve) => socket.once('close', resolve))
  })
  await setImmediate()
  await app.app.drain()
  await Promise.all(ends)

  assert.equal(answered, 400)
})

test('a stopping service answers all pipelined requests before it closes the connection', async (t) => {
  const { app, asked, answer } = await startSlow(t)
  const client = await open(app)
  client.socket.write(list(app).repeat(3))
  await asked

  const { cut } = await startDraining(app)
  answer()

  assert.deepEqual(await client.answers(3), [
    [200, 'keep-alive'],
    [200, 'keep-alive'],
    [200, 'close'],
  ])
  assert.equal(await cut, 0)
})

for (const [name, asks] of [
  ['that has asked before', true],
  ['that has never asked', false],
] as const) {
  test(`an idle connection ${name} is closed shortly after the service stops`, async (t) => {
    const app = await startApp(t, { connectionLimits: { closeIdleMs: 100 } })
    const client = await open(app)
    if (asks) {
      client.socket.write(list(app))
      await client.answers(1)
    }
    const ended = once(client.socket, 'end')

    const start = performance.now()
    await app.app.drain()
    await ended

    // A timer may fire a little early.
    assert.ok(performance.now() - start >= 50)
  })
}

test('responses have Connection: close only after the port is closed', async (t) => {
  const app = await startApp(t)
  const client = await open(app)
  const released = Promise.withResolvers<void>()

  const drained = app.app.drain(() => released.promise)
  while (app.app.server.listening) await setImmediate()
  client.socket.write(list(app))
  await client.answers(1)
  await assert.rejects(fetch(`${app.origin}/livez`))
  released.resolve()
  await setImmediate()
  client.socket.write(list(app))

  assert.deepEqual(await client.answers(2), [
    [200, 'keep-alive'],
    [200, 'close'],
  ])
  await drained
})

test('a request that does not end in time is closed and counted', async (t) => {
  const { app, asked } = await startSlow(t, { connectionLimits: { closeAllMs: 100 } })
  const client = await open(app)
  client.socket.write(list(app))
  await asked

  assert.equal(await app.app.drain(), 1)
  assert.equal(client.received(), '')
})

test('a client that does not read its response does not delay the stop', async (t) => {
  const app = await startApp(t, { connectionLimits: { closeAllMs: 100 } })
  const client = await open(app)
  client.socket.pause().write(rawRequest('GET /docs/reference.js', ['Host: petstore']))
  await app.send('/docs/reference.js')

  assert.ok((await app.app.drain()) >= 1)
})
