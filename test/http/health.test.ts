import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { lifecycle } from '../../src/http/server/lifecycle.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { type Answer, rawRequest, readAnswers, startApp, type TestApp } from '../support/app.ts'
import { sqlite, sqliteInMemory, temporaryFolder } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

/** Storage that works, but for `fault`. */
async function storageWith(t: TestContext, fault: Partial<Storage>): Promise<Storage> {
  return { ...(await sqliteInMemory.open(t)), ...fault }
}

/** The answer to a request that had begun to arrive when the service was told to stop. */
async function askWhileDraining({ app, key }: TestApp, start: string): Promise<Answer> {
  const { port } = app.server.address() as AddressInfo
  const accepted = once(app.server, 'connection')
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  const [peer] = (await accepted) as [Socket]
  const request = rawRequest(start, ['Host: petstore', `Authorization: Bearer ${key}`])
  socket.write(request.slice(0, 10))
  while (peer.bytesRead < 10) await setImmediate()

  const stopped = app.drain()
  while (app.server.listening) await setImmediate()
  socket.write(request.slice(10))
  while (!received.endsWith('}')) await once(socket, 'data')
  socket.destroy()
  await stopped
  return readAnswers(received)[0] as Answer
}

for (const path of ['/livez', '/readyz']) {
  test(`${path} returns 200 without caching while the service is healthy`, async (t) => {
    const { origin } = await startApp(t)

    const response = await fetch(origin + path)

    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'application/json')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.deepEqual(await response.json(), { status: 'ok' })
  })
}

test('/readyz returns 503 until the start is complete, and /livez 200', async (t) => {
  const state = lifecycle('starting')
  const { send } = await startApp(t, { lifecycle: state })

  const [live, early] = [await send('/livez'), await send('/readyz')]
  state.serve()
  const ready = await send('/readyz')

  assertError(early, 'unavailable')
  assert.match(early.text, /starting/)
  assert.deepEqual([live.status, ready.status], [200, 200])
})

test('/readyz returns 503 with Retry-After while the storage does not respond', async (t) => {
  const storage = await storageWith(t, { check: () => Promise.reject(new Error('disk I/O error in /srv/petstore.db')) })
  const { send, failures } = await startApp(t, { storage })

  const answer = await send('/readyz')

  assertError(answer, 'unavailable')
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9][0-9]*$/)
  assert.doesNotMatch(answer.text, /disk|srv/)
  assert.match(String(failures[0]), /disk I\/O error/)
})

test('/readyz returns 200 when the storage responds again', async (t) => {
  let broken = true
  const storage = await storageWith(t, {
    check: () => (broken ? Promise.reject(new Error('disk I/O error')) : Promise.resolve()),
  })
  const { send } = await startApp(t, { storage })

  const before = await send('/readyz')
  broken = false
  const after = await send('/readyz')

  assert.deepEqual([before.status, after.status], [503, 200])
})

test('/livez returns 200 whatever the storage does', async (t) => {
  const storage = await storageWith(t, { check: () => Promise.reject(new Error('disk I/O error')) })
  const { send } = await startApp(t, { storage })

  const answer = await send('/livez')

  assert.equal(answer.status, 200)
})

test('/readyz returns 503 while writes fail; reads continue', async (t) => {
  const path = join(temporaryFolder(t), 'petstore.db')
  const storage = await openStorage(`sqlite:${path}`, { lockTimeoutMs: 100 })
  t.after(() => storage.close())
  const { send, create } = await startApp(t, { storage })
  const other = new DatabaseSync(path)
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')

  const refused = await create({ name: 'Rex', categoryId: 1 })
  const during = [await send('/readyz'), await send('/v1/pets')]
  other.exec('ROLLBACK')
  const after = [await send('/readyz'), await create({ name: 'Rex', categoryId: 1 })]

  assertError(refused, 'unavailable')
  assert.deepEqual(
    [...during, ...after].map(({ status }) => status),
    [503, 200, 200, 201],
  )
})

/** A service whose storage was closed under it. */
async function startWithoutStorage(t: TestContext): Promise<TestApp> {
  const storage = await sqlite.open(t)
  const app = await startApp(t, { storage })
  await app.send('/v1/pets')
  await storage.close()
  return app
}

test('/readyz returns 503 if the storage is closed', async (t) => {
  const { send } = await startWithoutStorage(t)

  const answer = await send('/readyz')

  assertError(answer, 'unavailable')
})

test('operations return 503 if the storage is closed', async (t) => {
  const { send, create } = await startWithoutStorage(t)

  const answers = [await send('/v1/pets'), await send('/v1/pets/1'), await create({ name: 'Rex', categoryId: 1 })]

  for (const answer of answers) assertError(answer, 'unavailable')
})

test('responses that need no storage work if the storage is closed', async (t) => {
  const { send } = await startWithoutStorage(t)

  const answers = [await send('/livez'), await send('/openapi.json'), await send('/docs')]

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
})

test('/readyz returns 503 as soon as the service is told to stop', async (t) => {
  const app = await startApp(t)

  const answer = await askWhileDraining(app, 'GET /readyz')

  assertError(answer, 'unavailable')
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9][0-9]*$/)
})

test('/livez returns 200 until the end', async (t) => {
  const app = await startApp(t)

  const answer = await askWhileDraining(app, 'GET /livez')

  assert.equal(answer.status, 200)
})
