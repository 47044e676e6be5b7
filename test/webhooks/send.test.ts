import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createServer as createTlsServer } from 'node:https'
import { Webhook } from 'standardwebhooks'
import { certificate } from '../support/certificates.ts'
import { until } from '../support/until.ts'
import { send } from '../../src/webhooks/send.ts'
import { isDelivered } from '../../src/webhooks/send-result.ts'
import { deliver, endpoint, message, open, secret } from '../support/webhook-sending.ts'

test('a delivery is a signed POST with the body and the headers of Standard Webhooks', async (t) => {
  const { url, requests } = await endpoint(t, (socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))

  const startedAt = performance.now()
  const result = await deliver(url)

  assert.ok(isDelivered(result) && result.status === 204)
  assert.ok(result.durationMs <= Math.ceil(performance.now() - startedAt))
  const [head = '', body = ''] = (requests[0] ?? '').split('\r\n\r\n')
  const [line = '', ...rest] = head.split('\r\n')
  const headers = Object.fromEntries(rest.map((header) => header.toLowerCase().split(': ') as [string, string]))
  const original = Object.fromEntries(rest.map((header) => header.split(': ') as [string, string]))
  assert.equal(line, 'POST /hook?a=b HTTP/1.1')
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['connection'], 'close')
  assert.deepEqual(new Webhook(secret).verify(body, original), { name: 'Zoë' })
})

test('the format of a webhook is the media type of its deliveries, and changes nothing else', async (t) => {
  const { url, requests } = await endpoint(t, (socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
  const options = { ...open, clock: () => 1_000_000 }

  for (const format of ['json', 'cloudevents'] as const)
    await send(message, { url, format, secrets: [secret] }, options)

  const [json = '', cloudEvents = ''] = requests.map((request) => request.toLowerCase())
  assert.match(json, /\r\ncontent-type: application\/json\r\n/)
  assert.equal(cloudEvents, json.replace('application/json', 'application/cloudevents+json'))
})

test('a machine without a free file descriptor is no failure of the endpoint', async (t) => {
  const { url } = await endpoint(t, (socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
  const script = `
    const { send } = await import(${JSON.stringify(new URL('../../src/webhooks/send.ts', import.meta.url).href)})
    const { openSync } = await import('node:fs')
    const target = { url: ${JSON.stringify(url)}, format: 'json', secrets: [${JSON.stringify(secret)}] }
    const deliver = (more, allowPrivate = true) =>
      send({ id: '17', body: '{"name":"Zoë"}' }, { ...target, ...more }, { addresses: { allowPrivate } })
    const { status } = await deliver()
    const openAll = () => { try { for (;;) openSync('/dev/null') } catch {} }
    openAll()
    const error = await deliver().catch((reason) => reason)
    // The connection of the first has closed by now.
    await new Promise((resolve) => setTimeout(resolve, 100))
    openAll()
    const ofName = await deliver({ url: 'http://shop.invalid/' }, false).catch((reason) => reason)
    console.log(status, error.code, ofName.code, error.message, ofName.message)`
  const limited = 'ulimit -n 64; exec "$0" --input-type=module -e "$1"'
  const child = spawn('sh', ['-c', limited, process.execPath, script], { stdio: ['ignore', 'pipe', 'inherit'] })

  assert.match(await text(child.stdout), /^204 unavailable unavailable /)
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

test('a try that may not write when it is connected sends nothing', async (t) => {
  const { url, requests, sockets } = await endpoint(t, () => undefined)

  assert.equal((await deliver(url, { ...open, mayWrite: () => false })).error, 'nothing was sent')
  await until(() => sockets.size === 0)
  assert.deepEqual(requests, [])
})

test('a try over TLS is not asked whether it may write before the connection is secure', async (t) => {
  const { url } = await endpoint(t, () => undefined)
  let asked = 0
  const mayWrite = () => ++asked > 0

  const { error } = await deliver(url.replace('http:', 'https:'), { ...open, timeoutMs: 100, mayWrite })

  assert.deepEqual([error, asked], ['no response within 0.1 s', 0])
})

test('a reason has at most 200 characters', async () => {
  const failing = { addresses: { allowPrivate: false, resolve: () => Promise.reject(new Error('x'.repeat(300))) } }

  assert.equal((await deliver('https://unknown.example/', failing)).error, 'x'.repeat(200))
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
