import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../support/until.ts'
import { isDelivered, isGone } from '../../src/webhooks/send-result.ts'
import { deliver, endpoint } from '../support/webhook-sending.ts'

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

test('1,024 bytes of a body are enough: nobody waits for more', async (t) => {
  const { url } = await endpoint(t, (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n${'a'.repeat(512)}`)
    setImmediate(() => socket.write('b'.repeat(512)))
  })
  t.mock.timers.enable({ apis: ['setTimeout'] })

  const { responseStart } = await deliver(url)

  assert.equal(responseStart, 'a'.repeat(512) + 'b'.repeat(512))
})

test('a character that is cut by the end of those bytes is left out', async (t) => {
  const { url } = await endpoint(t, (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(1_023)}é`))

  assert.equal((await deliver(url)).responseStart, 'a'.repeat(1_023))
})

test('16 informational responses are read, and not one more', async (t) => {
  let informational = 16
  const { url } = await endpoint(t, (socket) =>
    socket.end(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(informational)}HTTP/1.1 204 No Content\r\n\r\n`),
  )

  assert.equal((await deliver(url)).status, 204)
  informational = 17
  assert.deepEqual(
    { ...(await deliver(url)), durationMs: 0 },
    { error: 'too many informational responses', durationMs: 0 },
  )
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

test('the start of a body is whole, although it comes in pieces', async (t) => {
  const { url } = await endpoint(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst')
    setTimeout(() => socket.write(' last'), 50)
  })

  assert.equal((await deliver(url)).responseStart, 'first last')
})

test('an endpoint that wants to speak another protocol is cut off', async (t) => {
  const { url, sockets } = await endpoint(t, (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: tea\r\n\r\n'),
  )

  assert.equal((await deliver(url)).status, 101)

  await until(() => sockets.size === 0)
})

test('a try leaves no timer behind, whether it had a response or not', async (t) => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const { url } = await endpoint(t, (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))
  const before = timers()

  assert.equal((await deliver(url)).status, 200)
  assert.equal(timers(), before)
  assert.notEqual((await deliver('http://127.0.0.1:1/')).error, undefined)
  assert.equal(timers(), before)
})
