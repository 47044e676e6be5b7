import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { rawRequest, readAnswers, startApp, type TestApp } from '../support/app.ts'
import { sqlite } from '../support/engines.ts'
import { unlessStalled } from '../support/promised-time.ts'

const json = 'Content-Type: application/json'
const rex = '{"name":"Rex","categoryId":1}'

function headersOf({ key }: TestApp): string[] {
  return ['Host: petstore', `Authorization: Bearer ${key}`]
}

/** A connection to the service, from both ends. */
async function open({ app, origin }: TestApp): Promise<{ client: Socket; server: Socket }> {
  const accepted = once(app.server, 'connection')
  const client = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => undefined)
  const [server] = (await accepted) as [Socket]
  return { client, server }
}

/** Asks for a file of some megabytes, more than the system takes for a client that does not read. */
const largeFile = rawRequest('GET /docs/reference.js', ['Host: petstore'])

async function createLargePage(app: TestApp): Promise<string> {
  const body = JSON.stringify({ name: 'x'.repeat(1_000), categoryId: 1 })
  for (let count = 0; count < 100; count++) assert.equal((await app.create(body)).status, 201)
  return rawRequest('GET /v1/pets?limit=100', headersOf(app))
}

test('a connection whose client reads nothing of its response is closed', async (t) => {
  const app = await startApp(t, { connectionLimits: { stallTimeoutMs: 100 } })
  const { client, server } = await open(app)
  client.pause()

  client.write(largeFile)

  await once(server, 'close')
  assert.ok(server.bytesWritten > 0)
})

test('a slow client gets its whole response', (t) =>
  unlessStalled(100, async () => {
    const app = await startApp(t, { connectionLimits: { stallTimeoutMs: 400 } })
    const { client, server } = await open(app)
    let received = 0
    client.on('data', (bytes: Buffer) => {
      received += bytes.length
      client.pause()
      setTimeout(() => client.resume(), 10)
    })

    const start = performance.now()
    client.write(largeFile.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    await once(client, 'end')

    assert.ok(performance.now() - start > 400)
    assert.equal(received, server.bytesWritten)
    assert.ok(received > 4_000_000)
  }))

test('a connection that waits for the storage is not closed', async (t) => {
  const storage = await sqlite.open(t)
  const list: typeof storage.pets.list = (...query) => wait(600).then(() => storage.pets.list(...query))
  const app = await startApp(t, { storage: { ...storage, pets: { ...storage.pets, list } } })
  app.app.server.on('request', ({ socket }) => socket.setTimeout(50))

  const answer = await app.send('/v1/pets')

  assert.equal(answer.status, 200)
})

test('a client that ends its side after its requests gets all responses, then the connection is closed', async (t) => {
  const storage = await sqlite.open(t)
  const create: typeof storage.pets.create = async (...pet) => {
    await wait(100)
    return storage.pets.create(...pet)
  }
  const app = await startApp(t, { storage: { ...storage, pets: { ...storage.pets, create } } })
  const { client, server } = await open(app)
  const chunks: string[] = []
  client.setEncoding('utf8').on('data', (text: string) => chunks.push(text))

  const post = rawRequest('POST /v1/pets', [...headersOf(app), json], rex)
  client.end(post + post + rawRequest('GET /v1/pets', headersOf(app)))
  await Promise.all([once(client, 'close'), once(server, 'close')])

  assert.deepEqual(
    readAnswers(chunks.join('')).map(({ status }) => status),
    [201, 201, 200],
  )
})

test('an idle connection is closed when its client ends its side', async (t) => {
  const { client, server } = await open(await startApp(t))

  client.end()

  await once(server, 'close')
})

test('if unsent responses use too much memory, the largest are cut', async (t) => {
  // Of the page that a client stops at, any part may be with the system already.
  const app = await startApp(t, { connectionLimits: { maxUnsentBytes: 10_000, maxPipelinedRequests: 1_000 } })
  const list = await createLargePage(app)
  const greedy = await Promise.all(Array.from({ length: 5 }, () => open(app)))

  for (const { client } of greedy) client.pause().write(list.repeat(200))
  await Promise.race(greedy.map(({ server }) => once(server, 'close')))
  // Not before: a connection without a request is closed after five seconds.
  const modest = await open(app)
  modest.client.write(rawRequest('GET /livez', ['Host: petstore', 'Connection: close']))
  const [answer] = (await once(modest.client, 'data')) as [Buffer]

  assert.match(answer.toString(), /^HTTP\/1\.1 200 /)
})

test('a client that pauses while it reads gets a page above the limit for unsent bytes', async (t) => {
  const app = await startApp(t, { connectionLimits: { maxUnsentBytes: 8_000_000, maxPauseMs: 60_000 } })
  const name = '\u0001'.repeat(60_000)
  await app.storage.imports.add(Array.from({ length: 40 }, () => ({ name, categoryId: 1n })))
  const { client, server } = await open(app)

  client.pause().write(rawRequest('GET /v1/pets?limit=100', [...headersOf(app), 'Connection: close']))
  while (server.writableLength === 0) await wait(10)
  await wait(500)
  const answer = await text(client)

  assert.ok(answer.length > 40 * 6 * name.length && answer.endsWith('}]'))
})

test('a shared file counts once, however many clients read it slowly', async (t) => {
  const app = await startApp(t, { connectionLimits: { maxUnsentBytes: 1 } })
  const { client, server } = await open(app)
  client.pause().write(largeFile)
  while (server.writableLength === 0) await wait(10)

  await wait(500)

  assert.equal(server.destroyed, false)
})

test('pipelined requests run in order: a list shows the pet created before it', async (t) => {
  const app = await startApp(t, { engine: sqlite })
  const create = rawRequest('POST /v1/pets', [...headersOf(app), json], rex)
  const list = rawRequest('GET /v1/pets', headersOf(app))
  const last = rawRequest('GET /v1/pets', [...headersOf(app), 'Connection: close'])

  const answers = readAnswers(await app.sendRaw(create + list + create + last))

  assert.deepEqual(
    answers.map(({ body }) => (Array.isArray(body) ? body.length : body)),
    [{ id: 1, name: 'Rex', categoryId: 1 }, 1, { id: 2, name: 'Rex', categoryId: 1 }, 2],
  )
})

test('of too many pipelined requests only the first are executed, and the last response closes the connection', async (t) => {
  const app = await startApp(t, { connectionLimits: { maxPipelinedRequests: 5 } })
  const create = rawRequest('POST /v1/pets', [...headersOf(app), json], rex)

  const answers = readAnswers(await app.sendRaw(create.repeat(50)))

  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('connection')]),
    [...Array.from({ length: 5 }, () => [201, 'keep-alive']), [201, 'close']],
  )
  assert.equal(((await app.send('/v1/pets?limit=100')).body as unknown[]).length, 6)
})

const afterTooMany: [string, string][] = [
  ['an upgrade', rawRequest('GET /v1/pets', ['Host: petstore', 'Connection: Upgrade', 'Upgrade: websocket'])],
  ['a CONNECT', rawRequest('CONNECT petstore:443', ['Host: petstore'])],
  ['bytes that are not HTTP', 'not HTTP\r\n\r\n'],
]

for (const [name, bytes] of afterTooMany) {
  test(`after too many pipelined requests ${name} changes nothing`, async (t) => {
    const app = await startApp(t, { connectionLimits: { maxPipelinedRequests: 2 } })
    const list = rawRequest('GET /v1/pets', headersOf(app))

    const inOnePiece = readAnswers(await app.sendRaw(list.repeat(4) + bytes))
    const later = readAnswers(await app.sendRaw(list.repeat(10_000) + bytes))

    const statuses = [inOnePiece, later].map((answers) => answers.map(({ status }) => status))
    assert.deepEqual(statuses, [
      [200, 200, 200],
      [200, 200, 200],
    ])
  })
}

test('a client may pipeline a few requests at a time for ever', async (t) => {
  const app = await startApp(t, { connectionLimits: { maxPipelinedRequests: 5 } })
  const { client } = await open(app)
  const list = rawRequest('GET /v1/pets', headersOf(app))
  let received = ''
  client.setEncoding('utf8').on('data', (text: string) => (received += text))

  for (let round = 1; round <= 50; round++) {
    client.write(list.repeat(6))
    while (received.split('HTTP/1.1 200').length - 1 < round * 6) await once(client, 'data')
  }

  assert.equal(received.includes('close'), false)
})

test('a connection that replaces one for health checks alone may not ask for more', async (t) => {
  const app = await startApp(t, { connectionLimits: { maxConnections: 1, maxHealthConnections: 2 } })
  const usual = headersOf(app)
  const statusOf = async (client: Socket, request: string) => {
    client.write(request)
    return /^HTTP\/1\.1 (\d+)/.exec(String((await once(client, 'data'))[0]))?.[1]
  }
  const stream = await open(app)
  t.after(() => stream.client.destroy())
  assert.equal(
    await statusOf(stream.client, rawRequest('GET /v1/events', [...usual, 'Accept: text/event-stream'])),
    '200',
  )
  const health = await open(app)
  assert.equal(await statusOf(health.client, rawRequest('GET /readyz', usual)), '200')

  const { client } = await open(app)
  t.after(() => client.destroy())

  assert.equal(await statusOf(client, rawRequest('GET /v1/pets', usual)), '503')
})

for (const [what, start, status] of [
  ['an unknown method', 'FOO /v1/pets', 405],
  ['what is not HTTP', '\u0001\u0002', 400],
] as const) {
  test(`a client that ends its side gets its response and the refusal of ${what} after it`, async (t) => {
    const app = await startApp(t)
    const { client } = await open(app)

    client.end(rawRequest('GET /v1/pets', headersOf(app)) + rawRequest(start, headersOf(app)))

    assert.deepEqual(
      readAnswers(await text(client)).map((answer) => answer.status),
      [200, status],
    )
  })
}
