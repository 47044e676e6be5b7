import assert from 'node:assert/strict'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createNetServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { exitCodeOf } from '../../verify/src/run.ts'
import { certificate } from '../support/certificates.ts'
import { judge } from './judge.ts'

const maxBodyBytes = 64 * 1024
const endless = Buffer.alloc(64 * 1024, 'x')

function writeWithoutEnd(socket: Socket, chunk: Buffer): void {
  const write = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', write)
  write()
}

/** What a server does with a request, and what the report says of it. */
const behaviours: Record<string, { respond: (socket: Socket) => void; finding: RegExp; timeoutMs?: number }> = {
  'never responds': { respond: () => undefined, finding: /sent nothing within 20 ms/, timeoutMs: 20 },
  'stops in the middle': {
    respond: (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[]'),
    finding: /within 20 ms/,
    timeoutMs: 20,
  },
  'sends garbage': { respond: (socket) => socket.end('\u0000\u001b[31mSSH-2.0'), finding: /other than HTTP/ },
  'sends an invalid status line': { respond: (socket) => socket.end('HTTP/9 yes\r\n\r\n'), finding: /status line/ },
  'sends an invalid header': {
    respond: (socket) => socket.end('HTTP/1.1 200 OK\r\nno colon\r\n\r\n'),
    finding: /header/,
  },
  'sends two lengths': {
    respond: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n[]'),
    finding: /invalid Content-Length/,
  },
  'sends its length twice': {
    respond: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n[]'),
    finding: /invalid Content-Length/,
  },
  'sends headers of 10 MB': {
    respond: (socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(10_000_000)}`),
    finding: /headers of more than 65536 bytes/,
  },
  'sends headers without end': {
    respond(socket) {
      socket.write('HTTP/1.1 200 OK\r\nX: ')
      writeWithoutEnd(socket, endless)
    },
    finding: /headers of more than 65536 bytes/,
  },
  'sends a body without end': {
    respond(socket) {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      writeWithoutEnd(socket, endless)
    },
    finding: /body of more than 65536 bytes/,
  },
  'sends chunks without end': {
    respond(socket) {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      writeWithoutEnd(socket, Buffer.from('1\r\nx\r\n'.repeat(10_000)))
    },
    finding: /body of more than 65536 bytes/,
  },
  'sends trailers without end': {
    respond(socket) {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n')
      writeWithoutEnd(socket, Buffer.from('x: y\r\n'.repeat(10_000)))
    },
    finding: /body of more than 65536 bytes/,
  },
  'sends interim responses without end': {
    respond: (socket) => writeWithoutEnd(socket, Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(1000))),
    finding: /headers of more than 65536 bytes/,
  },
  'sends a chunk of a wrong size': {
    respond: (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n[]\r\n0\r\n\r\n'),
    finding: /invalid chunk size/,
  },
  'closes at once': { respond: (socket) => socket.end(), finding: /closed the connection without a response/ },
  'closes in the middle': {
    respond: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[]'),
    finding: /in the middle of the response/,
  },
  'resets the connection': { respond: (socket) => socket.resetAndDestroy(), finding: /reset the connection/ },
  'changes the protocol': {
    respond: (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    finding: /another protocol/,
  },
}

for (const [name, { respond, finding, timeoutMs = 60_000 }] of Object.entries(behaviours)) {
  test(`a server that ${name} ends the run with 2 and the reason`, async (t) => {
    const url = await serve(t, (socket) => void socket.once('data', () => respond(socket)))

    const report = await judge(url, 'key', { timeoutMs, maxBodyBytes })

    assert.match(report.unreachable ?? '', finding)
    assert.equal(exitCodeOf(report), 2)
    assert.ok(report.results.every(({ outcome }) => outcome === 'skipped'))
  })

  if (timeoutMs < 60_000) continue
  test(`a server that ${name} for creates only is a finding`, async (t) => {
    const url = await serve(t, (socket) => {
      socket.once('data', (bytes) => {
        if (bytes.toString().startsWith('POST')) respond(socket)
        else socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[]')
      })
    })

    const report = await judge(url, 'key', { only: 'C-4.2-1', maxBodyBytes })

    assert.match(report.results[0]?.came ?? '', finding)
    assert.equal(report.results[0]?.outcome, 'failed')
    assert.equal(exitCodeOf(report), 1)
  })
}

const responses: Record<string, string> = {
  'a redirect is not followed': 'HTTP/1.1 302 Found\r\nLocation: /v1/pets\r\nContent-Length: 0\r\n\r\n',
  'an HTML page is no list': 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<h1>Hello</h1>',
  'JSON of great depth is no list': `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  'invalid UTF-8 is no list': 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n["\u00ff"]',
  'a list of things that are no animals is a finding':
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[null,1,"x",[],{"id":{}}]',
}

for (const [name, response] of Object.entries(responses)) {
  test(`${name}, and all checks end`, async (t) => {
    const url = await serve(t, (socket) => void socket.once('data', () => socket.end(response, 'latin1')))

    const report = await judge(url, 'key', { level: 'full' })

    assert.equal(exitCodeOf(report), 1)
    assert.equal(report.results.find(({ id }) => id === 'C-2-1')?.outcome, 'failed')
  })
}

test('a certificate that nobody trusts, a server without TLS and a closed port end the run with 2', async (t) => {
  const secure = createTlsServer(certificate('first'))
  secure.on('tlsClientError', () => undefined)
  const untrusted = new URL((await listen(t, secure)).href.replace('http:', 'https:'))
  const plain = new URL(
    (await serve(t, (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))).href.replace('http:', 'https:'),
  )
  const server = createNetServer()
  const closed = await listen(t, server)
  await new Promise((resolve) => void server.close(resolve))

  for (const [url, reason] of [
    [untrusted, /self-signed certificate/],
    [plain, /cannot be reached|closed the connection|reset the connection/],
    [closed, /refused the connection/],
  ] as const) {
    const report = await judge(url, 'key')
    assert.match(report.unreachable ?? '', reason)
    assert.equal(exitCodeOf(report), 2)
    assert.deepEqual(report.cleanup.notes, [])
  }
})

test('what a server sends cannot move the cursor, and the key is in no finding', async (t) => {
  const body = '\u001b[2J\u202esecret-of-the-shop'
  const url = await serve(t, (socket) => void socket.once('data', () => socket.end(`HTTP/1.1 500 No\r\n\r\n${body}`)))

  const report = await judge(url, 'secret-of-the-shop')

  const text = JSON.stringify(report.results.map(({ came, sent, expected }) => [came, sent, expected]))
  const came = report.results.map((result) => result.came).join('')
  assert.ok(!came.includes('\u001b') && !came.includes('\u202e'))
  assert.ok(!text.includes('secret-of-the-shop'), text.slice(0, 500))
  assert.match(text, /Authorization: Bearer \$\{KEY\}/)
})

test('the key is not in the reason why there is no HTTP response', async (t) => {
  const url = await serve(
    t,
    (socket) => void socket.once('data', () => socket.end('HTTP/1.1 secret-of-the-shop\r\n\r\n')),
  )

  const { unreachable } = await judge(url, 'secret-of-the-shop')

  assert.equal(unreachable, 'The server sent an invalid status line: "HTTP/1.1 ${KEY}".')
})

async function serve(t: TestContext, onConnection: (socket: Socket) => void): Promise<URL> {
  const server = createNetServer((socket) => {
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  return listen(t, server)
}

async function listen(t: TestContext, server: ReturnType<typeof createNetServer>): Promise<URL> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
}
