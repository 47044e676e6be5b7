import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { headerLine, headerPairs, writeHead } from '../../src/http/replies/response-head.ts'
import { serverLimits } from '../../src/http/server/limits.ts'

const lines = 'x-request-id: 1\r\nlink: </v1/pets?cursor=a>; rel="next"\r\ncontent-length: 2\r\n'
const closing = 'x-request-id: 1\r\ncontent-length: 2\r\nconnection: close\r\n'

/** The client ends its side after the request, and the response comes later. */
const halfClosed = 'a client that has ended its side'

/** Requests whose responses have a body, each as it is sent. The last of a connection closes it. */
const requests = {
  'the last request': 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'two requests': 'GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  HEAD: 'HEAD / HTTP/1.1\r\nHost: a\r\n\r\nHEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'HTTP/1.0': 'GET / HTTP/1.0\r\n\r\n',
  'HTTP/1.0 that stays open': 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\n',
  'an expectation that is not met': 'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n',
  '204 for HTTP/1.0 that stays open': 'GET /204 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
  [halfClosed]: 'GET /later HTTP/1.1\r\nHost: a\r\n\r\n',
  'a server that closes': 'GET /close HTTP/1.1\r\nHost: a\r\n\r\n',
  '204 without a body': 'GET /204 HTTP/1.1\r\nHost: a\r\n\r\nGET /204 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  '304 without a body': 'GET /304 HTTP/1.1\r\nHost: a\r\n\r\nGET /304 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
}

for (const [name, request] of Object.entries(requests)) {
  test(`${name}: the head of a response is the one that Node would write`, async () => {
    const [ours, nodes] = [await responseTo(request, 'ours'), await responseTo(request, 'node')]

    assert.equal(ours, nodes)
    assert.match(ours, /^HTTP\/1\.1 (201 Created|204 No Content|304 Not Modified)\r\n[^]*\r\nx-request-id: 1\r\n/)
  })

  async function responseTo(bytes: string, writer: 'ours' | 'node'): Promise<string> {
    const server = createServer(serverLimits, async (incoming, outgoing) => {
      if (incoming.url === '/later') await once(incoming.socket, 'end')
      const closes = incoming.url === '/close'
      const without = /\d+/.exec(incoming.url ?? '')?.[0]
      const status = Number(without ?? 201)
      const own = without === undefined ? lines : 'x-request-id: 1\r\n'
      if (writer === 'node') outgoing.writeHead(status, headerPairs(closes ? closing : own))
      else if (closes) writeHead(outgoing, status, closing.replace('connection: close\r\n', ''), true)
      else writeHead(outgoing, status, own, false)
      if (without === undefined) outgoing.end('{}', 'latin1')
      else outgoing.end()
    })
    Object.assign(server, { httpAllowHalfOpen: true })
    server.on('checkContinue', (incoming, outgoing) => server.emit('request', incoming, outgoing))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    if (name === halfClosed) socket.end(bytes)
    else socket.write(bytes)
    const response = await text(socket)
    server.close()
    return withoutOrder(response)
  }
}

/** Names in lower case, sorted in each head: their order and their case say nothing. The date differs. */
function withoutOrder(response: string): string {
  return response
    .split('\r\n\r\n')
    .map((part) => {
      const [first = '', ...headers] = part.split('\r\n')
      const sorted = headers.map((line) => line.replace(/^[^:]+/, (each) => each.toLowerCase())).toSorted()
      return [first, ...sorted.map((line) => line.replace(/^date: .* GMT$/, 'date: GMT'))].join('\r\n')
    })
    .join('\r\n\r\n')
}

test('a value that a header cannot have is refused: no line can be added to a response', () => {
  for (const value of ['a\r\nset-cookie: b', 'a\nb', 'a\u0000b', 'ā'])
    assert.throws(() => headerLine('link', value), /header link/)

  assert.equal(headerLine('link', 'ä\t'), 'link: ä\t\r\n')
})

test('the head of a response is written once', async () => {
  const server = createServer((_incoming, outgoing) => {
    writeHead(outgoing, 200, 'content-length: 2\r\n', true)
    assert.throws(() => writeHead(outgoing, 200, 'content-length: 2\r\n', true), /before/)
    outgoing.end('ok')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const response = await text(socket)

  server.close()
  assert.match(response, /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nok$/)
})
