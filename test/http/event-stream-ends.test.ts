import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startApp, type TestApp } from '../support/app.ts'
import { sqliteInMemory } from '../support/engines.ts'
import { followEvents } from '../support/event-stream.ts'
import { assertPassed } from '../support/promised-time.ts'
import { until } from '../support/until.ts'
import { idsOf, large, startShop } from '../support/stream-requests.ts'

test('a stream sends heartbeats', async (t) => {
  const app = await startApp(t, { heartbeatMs: 20 })
  const stream = await followEvents(t, app)

  await stream.until(() => stream.text().split(': still here\n\n').length > 3)

  assert.match(stream.text(), /^retry: 1000\nid: 0-\w{8}\n\n(: still here\n\n)+$/)
})

test('a stopping service ends streams properly', async (t) => {
  const app = await startShop(t, 3)
  const streams = await Promise.all(
    Array.from({ length: 5 }, () => followEvents(t, { ...app, path: '/v1/events?after=0' })),
  )
  const stalled = await openStalled(app)
  t.after(() => stalled.destroy())
  await Promise.all(streams.map((stream) => stream.until(() => stream.events.length === 3)))

  const started = performance.now()
  const closing = app.app.close()

  for (const stream of streams) assert.equal(await stream.ended, true)
  for (const stream of streams) stream.leave()
  assertPassed(2_000, started)
  stalled.destroy()
  await closing
})

test('a stalled reader does not delay the stop', async (t) => {
  const app = await startShop(t, 0)
  const held: Socket[] = []
  app.app.server.on('connection', (socket) => held.push(socket))
  const stalled = await openStalled(app)
  t.after(() => stalled.destroy())
  // More than the system keeps for a connection, and less than what it is let go for.
  while (held[0]?.writableLength === 0) {
    await app.storage.imports.add(Array.from({ length: 100 }, () => ({ name: large, categoryId: 1n })))
    await wait(150)
  }
  assert.equal(held[0]?.destroyed, false)

  const started = performance.now()
  await app.app.close()

  assertPassed(2_000, started)
})

test('a stream logs one line when it ends', async (t) => {
  const app = await startApp(t, { heartbeatMs: 200 })
  const { id, secret } = await app.makeKey()
  const left = await followEvents(t, { ...app, headers: { 'x-request-id': 'left' } })
  await followEvents(t, { ...app, key: secret, headers: { 'x-request-id': 'revoked' } })
  await app.send('/v1/pets')
  const lines = () => app.answered.filter(({ route }) => route === '/v1/events')
  assert.deepEqual(lines(), [])

  left.leave()
  await app.storage.keys.revoke(id, Date.now())
  while (lines().length < 2) await wait(10)
  await wait(100)

  assert.equal(lines().length, 2)
  assert.deepEqual(
    new Map(lines().map(({ requestId, status }) => [requestId, status])),
    new Map([
      ['left', 200],
      ['revoked', 200],
    ]),
  )
  assert.deepEqual(app.failures, [])
})

test('a temporary storage failure loses no event', async (t) => {
  const storage = await sqliteInMemory.open(t)
  let broken = false
  const events = {
    ...storage.events,
    list: (limit: number, after?: bigint) =>
      broken ? Promise.reject(new Error('the disk is gone')) : storage.events.list(limit, after),
  }
  const app = await startApp(t, { storage: { ...storage, events } })
  const stream = await followEvents(t, app)
  await app.create({ name: 'Rex', categoryId: 1 })
  await stream.until(() => stream.events.length === 1)

  broken = true
  await app.create({ name: 'Tom', categoryId: 1 })
  await wait(250)
  broken = false
  await stream.until(() => stream.events.length === 2)

  assert.deepEqual(idsOf(stream), ['1', '2'])
})

test('the storage is not polled without readers', async (t) => {
  const storage = await sqliteInMemory.open(t)
  let looks = 0
  const events = {
    ...storage.events,
    list(limit: number, after?: bigint) {
      looks++
      return storage.events.list(limit, after)
    },
  }
  const app = await startApp(t, { storage: { ...storage, events } })
  const stream = await followEvents(t, app)
  stream.leave()
  await until(() => app.streams.open === 0)
  await wait(300)

  const before = looks
  await wait(300)

  assert.equal(looks, before)
})

/** A stream that was asked for and is never read. */
async function openStalled({ origin, key, streams }: TestApp, path = '/v1/events') {
  const before = streams.open
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.pause()
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: petstore\r\nAuthorization: Bearer ${key}\r\nAccept: text/event-stream\r\n\r\n`,
  )
  await until(() => streams.open > before)
  return socket
}
