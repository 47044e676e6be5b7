import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sendBuffers } from '../../src/http/events/send-buffers.ts'
import { startStream } from '../../src/http/events/stream-response.ts'
import { type Requests, requestsTo, startApp, type TestApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { followEvents, numberOf, openUnread } from '../support/event-stream.ts'
import { until } from '../support/until.ts'

/** A thousand characters that take six bytes each as JSON. */
const large = '\u0001'.repeat(1000)
/** On a slow machine, too, nobody is cut for taking nothing for two heartbeats. */
const heartbeatMs = 600_000
const streamHeaders = { accept: 'text/event-stream' }

for (const engine of engines) {
  test(`${engine.name}: a client that disconnects early leaves no stream open`, async (t) => {
    const storage = await engine.open(t)
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    const events = {
      ...storage.events,
      async latest() {
        asked.resolve()
        await answer.promise
        return storage.events.latest()
      },
    }
    const app = await startApp(t, { storage: { ...storage, events }, streamLimits: { maxStreams: 1 } })
    const connection = Promise.withResolvers<Socket>()
    app.app.server.once('connection', connection.resolve)
    const leaver = await openUnread(t, app)
    const socket = await connection.promise
    const left = once(socket, 'end')
    const closed = once(socket, 'close')

    await asked.promise
    leaver.destroy()
    await left
    answer.resolve()
    await until(() => app.answered.length > 0)
    await closed

    assert.equal(app.streams.open, 0)
    const next = await followEvents(t, app)
    assert.equal(next.answer.statusCode, 200)
    assert.equal(app.streams.open, 1)
  })

  test(`${engine.name}: closed streams are not leaked`, async (t) => {
    const app = await startApp(t, { engine })
    let requests = 0
    let connections = 0
    app.app.server.on('request', () => requests++)
    app.app.server.on('connection', (socket) => {
      connections++
      socket.once('close', () => connections--)
    })

    for (let round = 0; round < 5; round++) {
      const sockets = await Promise.all(Array.from({ length: 20 }, () => openUnread(t, app)))
      // Some leave before they are answered, some in the middle of it, some later.
      for (const [index, socket] of sockets.entries()) {
        await wait(index % 3)
        if (index === sockets.length - 1) await until(() => app.streams.open > 0)
        socket.destroy()
      }
    }
    await until(() => connections === 0 && app.answered.length === requests)

    assert.equal(app.streams.open, 0)
    assert.deepEqual(new Set(app.streams.ended), new Set(['left']))
  })
}

test('a stream is closed when its client ends its side', async (t) => {
  const app = await startApp(t, { heartbeatMs })
  const connection = once(app.app.server, 'connection')
  const leaver = await openUnread(t, app)
  const [socket] = (await connection) as [Socket]
  await until(() => app.streams.open === 1)

  leaver.end()
  await once(socket, 'close')

  assert.deepEqual(app.streams, { open: 0, ended: ['left'] })
  assert.equal(app.answered.length, 1)
})

test('the number of streams per key is limited', async (t) => {
  const app = await startApp(t, { streamLimits: { maxStreamsPerKey: 2 } })
  const { secret } = await app.makeKey({ permission: 'read' })
  const first = await followEvents(t, app)
  await followEvents(t, app)

  const refused = await app.send('/v1/events', { headers: streamHeaders })

  assertError(refused, 'rate_limited')
  assert.match(refused.headers.get('retry-after') ?? '', /^[0-9]+$/)
  assert.equal((await followEvents(t, { ...app, key: secret })).answer.statusCode, 200)
  first.leave()
  await until(() => app.streams.open === 2)
  assert.equal((await followEvents(t, app)).answer.statusCode, 200)
})

test('the streams of a process are limited, and no key can take them all', async (t) => {
  const app = await startApp(t, { streamLimits: { maxStreams: 2 } })
  const others = [await app.makeKey({ permission: 'read' }), await app.makeKey({ permission: 'read' })]
  const [other, third] = others.map(({ secret }) => requestsTo(app.origin, secret)) as [Requests, Requests]
  const first = await followEvents(t, app)

  assertError(await app.send('/v1/events', { headers: streamHeaders }), 'unavailable')
  assert.equal((await followEvents(t, other)).answer.statusCode, 200)
  assertError(await third.send('/v1/events', { headers: streamHeaders }), 'unavailable')
  first.leave()
  await until(() => app.streams.open === 1)
  assert.equal((await followEvents(t, third)).answer.statusCode, 200)
})

test('if slow readers hold too much memory, those that wait longest are closed first', async (t) => {
  const app = await startApp(t, { heartbeatMs, streamLimits: { maxBufferedBytes: 64 * 1024 } })
  const sockets: Socket[] = []
  app.app.server.on('connection', (socket) => sockets.push(socket))
  await addLarge(app, 3_000)
  const reading = await followEvents(t, app)

  // Each holds 16 KiB or more, and shares none of it, since they are 50 events apart.
  for (let count = 0; count < 10; count++) {
    await openUnread(t, { ...app, path: `/v1/events?after=${count * 50}` })
    await until(() => sockets.at(-1)?.writableLength !== 0)
  }
  await until(() => app.streams.ended.includes('slow'))

  assert.deepEqual(new Set(app.streams.ended), new Set(['slow']))
  assert.equal(sockets[0]?.destroyed, false)
  assert.equal(sockets[1]?.destroyed, true)
  assert.equal(sockets.at(-1)?.destroyed, false)
  await app.create({ name: 'Rex', categoryId: 1 })
  await reading.until(() => reading.events.length === 1)
})

test('a reader that takes nothing for two heartbeats is closed', async (t) => {
  const app = await startApp(t, { heartbeatMs: 50 })
  await addLarge(app, 3_000)

  await openUnread(t, { ...app, path: '/v1/events?after=0' })
  await until(() => app.streams.ended.length > 0)

  assert.deepEqual(app.streams.ended, ['slow'])
})

test('a reader catches up with events of maximum size', async (t) => {
  const app = await startApp(t)
  const name = 'x'.repeat(64_000)
  await app.storage.imports.add(Array.from({ length: 200 }, () => ({ name, categoryId: 1n })))

  const stream = await followEvents(t, { ...app, path: '/v1/events?after=0' })
  await stream.until(() => stream.events.length === 200)

  assert.deepEqual(
    stream.events.map(numberOf),
    Array.from({ length: 200 }, (_, index) => String(index + 1)),
  )
})

async function addLarge({ storage }: TestApp, count: number): Promise<void> {
  await storage.imports.add(Array.from({ length: count }, () => ({ name: large, categoryId: 1n })))
}

test('a stream that has ended, but was not read to its end, can be ended again', async () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const errors: Error[] = []
  response.on('error', (error) => errors.push(error))
  const stream = startStream(response, {
    after: { id: 0n },
    heartbeatMs: 10_000,
    openBuffer: sendBuffers(1024),
    closed: () => undefined,
  })
  const closed = once(response, 'close')
  response.end()

  stream.end('reset')
  await closed

  assert.deepEqual(errors, [])
})
