import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { createServer as createTlsServer } from 'node:https'
import { Webhook } from 'standardwebhooks'
import { certificate } from '../support/certificates.ts'
import { until } from '../support/until.ts'
import { send, type SendOptions } from '../../src/webhooks/send.ts'
import { isDelivered, isGone } from '../../src/webhooks/send-result.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const message = { id: '17', body: '{"name":"Zoë"}' }
const open = { addresses: { allowPrivate: true } }

/** An endpoint that does with a connection what it likes. Returns its URL and the heads and bodies it got. */
async function endpoint(t: TestContext, respond: (socket: Socket) => void) {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString()
      if (!text.endsWith(message.body)) return
      requests.push(text)
      text = ''
      respond(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=b`, requests, sockets }
}

function deliver(url: string, options: SendOptions = open) {
  return send(message, { url, secrets: [secret] }, options)
}

test('a delivery is a signed POST with the body and the headers of Standard Webhooks', async (t) => {
  const { url, requests } = await endpoint(t, (socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))

  const result = await deliver(url)

  assert.ok(isDelivered(result) && result.status === 204)
  const [head = '', body = ''] = (requests[0] ?? '').split('\r\n\r\n')
  const [line = '', ...rest] = head.split('\r\n')
  const headers = Object.fromEntries(rest.map((header) => header.toLowerCase().split(': ') as [string, string]))
  const original = Object.fromEntries(rest.map((header) => header.split(': ') as [string, string]))
  assert.equal(line, 'POST /hook?a=b HTTP/1.1')
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['connection'], 'close')
  assert.deepEqual(new Webhook(secret).verify(body, original), { name: 'Zoë' })
})

test('each status has its meaning: only 2xx is delivered, a redirect is a failure, 410 is the end', async (t) => {
  const cases: [number, boolean, boolean][] = [
    [200, true, false],
    [299, true, false],
    [301, false, false],
    [307, false, false],
    [404, false, false],
    [410, false, true],
    [500, false, false],
  ]
  let status = 0
  const location = 'Location: http://127.0.0.1:1/\r\n'
  const { url } = await endpoint(t, (socket) =>
    socket.end(`HTTP/1.1 ${status} A\r\n${location}Content-Length: 2\r\n\r\nok`),
  )

  for (const [each, delivered, gone] of cases) {
    status = each
    const result = await deliver(url)
    assert.deepEqual([result.status, isDelivered(result), isGone(result)], [each, delivered, gone])
    assert.equal(result.responseStart, 'ok')
  }
})

test('an endpoint that never responds is a failure when the time is over', async (t) => {
  const { url } = await endpoint(t, () => undefined)

  const result = await deliver(url, { ...open, timeoutMs: 50 })

  assert.equal(result.status, undefined)
  assert.equal(result.error, 'no response within 0.05 s')
})

test('an endpoint has 15 seconds', async (t) => {
  const asked = Promise.withResolvers<void>()
  const { url } = await endpoint(t, () => asked.resolve())
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let result: Awaited<ReturnType<typeof deliver>> | undefined
  const delivering = deliver(url).then((ended) => (result = ended))
  await asked.promise

  t.mock.timers.tick(15_000 - 1)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(result, undefined)
  t.mock.timers.tick(1)

  assert.equal((await delivering).error, 'no response within 15 s')
})

test('headers that come byte by byte do not extend the time', async (t) => {
  const { url, sockets } = await endpoint(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write('a: b\r\n'), 5)
    socket.on('close', () => clearInterval(timer))
  })

  const result = await deliver(url, { ...open, timeoutMs: 100 })

  assert.match(result.error ?? '', /no response/)
  await until(() => sockets.size === 0)
})

test('a body without end is cut, and its start is kept as printable text', async (t) => {
  const { url, sockets } = await endpoint(t, (socket) => {
    socket.write('HTTP/1.1 500 Oops\r\n\r\n')
    const pour = () => {
      while (socket.writable && socket.write('a\0\u001b[31m\u2028\u202eb\xff'.repeat(4_096)));
    }
    socket.on('drain', pour)
    pour()
  })

  const { status, responseStart = '' } = await deliver(url)

  assert.equal(status, 500)
  assert.ok(responseStart.startsWith('a  [31m  bÿa') && responseStart.length > 500 && responseStart.length <= 1_024)
  await until(() => sockets.size === 0)
})

test('a body that stalls does not undo a 2xx', async (t) => {
  const { url } = await endpoint(t, (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok'))

  const result = await deliver(url)

  assert.ok(isDelivered(result))
  assert.equal(result.responseStart, 'ok')
})

test('no response of an endpoint breaks the sender', async (t) => {
  const responses: [string, number | undefined][] = [
    ['', undefined],
    ['garbage\r\n\r\n', undefined],
    ['HTTP/1.1 abc\r\n\r\n', undefined],
    [`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}\r\n`, undefined],
    [`HTTP/1.1 200 OK\r\na: ${'b'.repeat(100_000)}\r\n\r\n`, undefined],
    ['HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000), undefined],
    ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 101],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 200],
    ['HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\xff\xfe\xfd', 200],
    ['HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort', 200],
    ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n', 202],
    ['HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 500 A\r\n\r\n', 200],
  ]
  let bytes = ''
  const { url } = await endpoint(t, (socket) => socket.end(Buffer.from(bytes, 'latin1')))

  for (const [response, status] of responses) {
    bytes = response
    const result = await deliver(url)
    assert.equal(result.status, status, JSON.stringify(response.slice(0, 60)))
    assert.equal(typeof result.error, status === undefined ? 'string' : 'undefined')
  }
})

test('a delivery to an address that is not public sends nothing', async (t) => {
  const { url, requests } = await endpoint(t, (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const closed = { addresses: { allowPrivate: false, resolve } }

  for (const [host, subject] of [
    ['127.0.0.1', 'url'],
    ['public.example', 'public.example'],
    ['[::ffff:127.0.0.1]', 'url'],
  ] as const) {
    const { error } = await deliver(url.replace('127.0.0.1', host), closed)
    assert.equal(error, `${subject} must be a public address`)
  }

  assert.deepEqual(requests, [])
})

test('a name leads to the address that was checked, also if the next look-up would lead elsewhere', async (t) => {
  const { url, requests } = await endpoint(t, (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
  let lookUps = 0
  const resolve = async () => [{ address: lookUps++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }]

  const result = await deliver(url.replace('127.0.0.1', 'name.example'), { addresses: { allowPrivate: true, resolve } })

  assert.ok(isDelivered(result))
  assert.equal(lookUps, 1)
  assert.match(requests[0] ?? '', /^host: name\.example:\d+\r$/im)
})

test('a refused connection, an unknown name and a URL that is none are failures with a reason', async (t) => {
  const { url } = await endpoint(t, () => undefined)
  const closed = new URL(url)
  closed.port = '1'
  const unknown = { addresses: { allowPrivate: false, resolve: () => Promise.reject(new Error('queryA ENOTFOUND')) } }

  assert.match((await deliver(closed.href)).error ?? '', /ECONNREFUSED/)
  assert.match((await deliver('https://unknown.example/', unknown)).error ?? '', /ENOTFOUND/)
  assert.match((await deliver('nonsense')).error ?? '', /^url must be a valid URL/)
})

test('a try ends with its signal', async (t) => {
  const { url, requests } = await endpoint(t, () => stopping.abort())
  const stopping = new AbortController()

  const result = await deliver(url, { ...open, signal: stopping.signal })
  const late = await deliver(url, { ...open, signal: stopping.signal })

  assert.deepEqual([result.error, late.error], ['the service stopped', 'the service stopped'])
  assert.equal(requests.length, 1)
})

test('an endpoint that speaks no TLS is a failure in words, not in those of OpenSSL', async (t) => {
  const server = createServer((socket) => socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())

  assert.equal(
    (await deliver(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`)).error,
    'TLS failed: wrong version number',
  )
})

test('an endpoint whose certificate nobody has signed gets nothing', async (t) => {
  let requests = 0
  const server = createTlsServer(certificate('first'), () => requests++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())

  const result = await deliver(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`)

  assert.match(result.error ?? '', /certificate/)
  assert.equal(requests, 0)
})
