import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { type TestContext, test } from 'node:test'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import type { AppOptions } from '../../src/http/app.ts'
import { replaceCertificate } from '../../src/http/server/certificate.ts'
import { rawRequest, readAnswers, startApp, type TestApp } from '../support/app.ts'
import { certificate } from '../support/certificates.ts'
import { sqliteInMemory } from '../support/engines.ts'
import { holdLists } from '../support/held-lists.ts'
import { until } from '../support/until.ts'

const first = certificate('first')

function startTls(t: TestContext, options: Partial<AppOptions> = {}): Promise<TestApp> {
  return startApp(t, { certificate: first, ...options })
}

async function open({ origin }: TestApp, options: ConnectionOptions = {}) {
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', ca: first.cert, ...options })
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  await once(socket, 'secureConnect')
  return { socket, received: () => received }
}

/** Sends bytes and returns all that arrives until the service ends the connection. */
async function sendRaw(app: TestApp, bytes: string): Promise<string> {
  const { socket, received } = await open(app)
  socket.write(bytes)
  await once(socket, 'close')
  return received()
}

function request({ key }: TestApp, start: string, headers: readonly string[] = [], body = ''): string {
  return rawRequest(start, ['Host: shop.example', `Authorization: Bearer ${key}`, ...headers], body)
}

const last = ['Connection: close']
const json = ['Content-Type: application/json']

test('over TLS, Location and links begin with https, also in a page that is cached', async (t) => {
  const app = await startTls(t)
  const rex = '{"name":"Rex","categoryId":1}'
  const list = request(app, 'GET /v1/pets?limit=1')

  const raw = await sendRaw(
    app,
    request(app, 'POST /v1/pets', json, rex) +
      request(app, 'POST /v1/pets', json, rex) +
      list.repeat(3) +
      request(app, 'GET /v1/pets', last),
  )

  const answers = readAnswers(raw)
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 200, 200, 200, 200],
  )
  assert.equal(answers[0]?.headers.get('location'), 'https://shop.example/v1/pets/1')
  for (const page of answers.slice(2, 5)) assert.match(page.headers.get('link') ?? '', /^<https:\/\/shop\.example\/v1/)
})

test('TLS 1.1 is refused, 1.2 and 1.3 are accepted', async (t) => {
  const app = await startTls(t)
  const versions = ['TLSv1.2', 'TLSv1.3'] as const

  for (const version of versions) {
    const { socket } = await open(app, { minVersion: version, maxVersion: version })
    assert.equal(socket.getProtocol(), version)
    socket.destroy()
  }

  // OpenSSL allows the old version only at this level.
  const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  await assert.rejects(open(app, old), /alert protocol version/)
})

for (const name of ['first', 'rsa'] as const) {
  test(`TLS 1.2 needs forward secrecy and no CBC, also after the certificate is replaced: ${name}`, async (t) => {
    const own = certificate(name)
    const app = await startTls(t, { certificate: own })
    const handshake = async (ciphers: string) => {
      const socket = connect({ port: Number(new URL(app.origin).port), ca: own.cert, maxVersion: 'TLSv1.2', ciphers })
      return once(socket, 'secureConnect').then(
        () => (socket.destroy(), 'accepted'),
        (error: NodeJS.ErrnoException) => error.code,
      )
    }
    // In the list of a client without TLS 1.3: key exchange and encryption together, by their OpenSSL names.
    const weak = ['AES128-GCM-SHA256', 'AES256-SHA256', 'ECDHE-ECDSA-AES128-SHA256', 'ECDHE-RSA-AES256-SHA']
    const strong = ['ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE+CHACHA20']

    for (const replaces of [false, true]) {
      if (replaces) replaceCertificate(app.app.server, own)
      for (const ciphers of weak) assert.equal(await handshake(ciphers), 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE')
      for (const ciphers of strong) assert.equal(await handshake(ciphers), 'accepted')
    }
  })
}

test('plain HTTP on the port for TLS is closed at once', async (t) => {
  const app = await startTls(t)
  const socket = connectTcp(Number(new URL(app.origin).port), '127.0.0.1')
  let received = ''
  socket.on('data', (bytes) => (received += bytes.toString()))
  socket.on('error', () => undefined)
  socket.write(request(app, 'GET /v1/pets'))

  await once(socket, 'close')

  assert.doesNotMatch(received, /HTTP/)
  assert.deepEqual(app.failures, [])
})

test('a client that never finishes its handshake does not hold up a stop', async (t) => {
  const app = await startTls(t, { connectionLimits: { closeIdleMs: 0, closeAllMs: 60_000 } })
  const accepted = once(app.app.server, 'connection')
  const silent = connectTcp(Number(new URL(app.origin).port), '127.0.0.1')
  silent.on('error', () => undefined)
  const closed = once(silent, 'close')
  await accepted

  const cut = await app.app.drain()
  await closed

  assert.equal(cut, 0)
  assert.deepEqual(app.failures, [])
})

test('over TLS, a pending request is answered with Connection: close when the service stops', async (t) => {
  const { storage, asked, answer } = holdLists(await sqliteInMemory.open(t))
  const app = await startTls(t, { storage })
  const { socket, received } = await open(app)
  socket.write(request(app, 'GET /v1/pets'))
  await asked

  const cut = app.app.drain()
  await until(() => !app.app.server.listening)
  answer()

  assert.equal(await cut, 0)
  assert.deepEqual(
    readAnswers(received()).map(({ status, headers }) => [status, headers.get('connection')]),
    [[200, 'close']],
  )
})

test('over TLS, a client that ends its side while its request runs gets the response', async (t) => {
  const { storage, asked, answer } = holdLists(await sqliteInMemory.open(t))
  const app = await startTls(t, { storage })
  const accepted = once(app.app.server, 'secureConnection')
  const { socket, received } = await open(app, { allowHalfOpen: true } as ConnectionOptions)
  const [server] = (await accepted) as [TLSSocket]
  const ended = once(server, 'end')
  socket.end(request(app, 'GET /v1/pets'))
  await Promise.all([asked, ended])

  answer()
  await once(socket, 'close')

  assert.deepEqual(
    readAnswers(received()).map(({ status }) => status),
    [200],
  )
})

test('over TLS, an idle connection is closed when the service stops', async (t) => {
  const app = await startTls(t, { connectionLimits: { closeIdleMs: 0, closeAllMs: 60_000 } })
  const [used, unused] = await Promise.all([open(app), open(app)])
  used.socket.write(request(app, 'GET /v1/pets'))
  await until(() => used.received().endsWith('[]'))

  const cut = await app.app.drain()
  await until(() => used.socket.closed && unused.socket.closed)

  assert.equal(cut, 0)
})

test('over TLS, more pipelined requests than may wait are not executed, and the rest is answered', async (t) => {
  const app = await startTls(t, { connectionLimits: { maxPipelinedRequests: 2 } })

  const raw = await sendRaw(app, request(app, 'POST /v1/pets', json, '{"name":"Rex","categoryId":1}').repeat(50))

  assert.deepEqual(
    readAnswers(raw).map(({ status, headers }) => [status, headers.get('connection')]),
    [
      [201, 'keep-alive'],
      [201, 'keep-alive'],
      [201, 'close'],
    ],
  )
  assert.equal((await app.storage.pets.inventory(1)).total, 3n)
})

test('over TLS, a client that sends 5 MB before it reads gets its refusal', async (t) => {
  const app = await startTls(t)
  const { socket, received } = await open(app)
  const body = ' '.repeat(5_000_000)

  socket.pause()
  socket.write(rawRequest('POST /v1/pets', ['Host: shop.example', ...json, ...last], body), () => socket.resume())
  await once(socket, 'close')

  assert.equal(readAnswers(received())[0]?.status, 401)
})

test('over TLS, a client that ends its side after its request still gets the response', async (t) => {
  const app = await startTls(t)
  const { socket, received } = await open(app, { allowHalfOpen: true } as ConnectionOptions)

  socket.end(request(app, 'GET /v1/pets'))
  await once(socket, 'close')

  assert.equal(readAnswers(received())[0]?.status, 200)
})

/** Asks for pages of 6 MB and reads nothing. */
async function openUnread(app: TestApp): Promise<TLSSocket> {
  const { socket } = await open(app)
  socket.pause()
  socket.write(request(app, 'GET /v1/pets?limit=100').repeat(10))
  return socket
}

function connectionsOf({ app }: TestApp): Promise<number> {
  return new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)))
}

async function fill({ storage }: TestApp): Promise<void> {
  for (let pet = 0; pet < 100; pet++) await storage.pets.create({ name: 'x'.repeat(60_000), categoryId: 1n })
}

for (const [limit, connectionLimits] of Object.entries({
  'for the time without reading': { stallTimeoutMs: 200 },
  'for unsent bytes': { maxUnsentBytes: 1_000_000 },
})) {
  test(`over TLS, a client that does not read is cut at the limit ${limit}`, async (t) => {
    const app = await startTls(t, { connectionLimits })
    await fill(app)

    const socket = await openUnread(app)
    await until(async () => (await connectionsOf(app)) === 0)

    socket.destroy()
  })
}
