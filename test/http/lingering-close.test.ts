import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startApp, type TestApp } from '../support/app.ts'
import { unlessStalled } from '../support/promised-time.ts'

const rounds = 10
const large = Buffer.alloc(5_000_000, ' ')

/** Ways to send a request with a large body. Each returns the status of the answer, and fails if there is none. */
const clients: Record<string, (app: TestApp, path: string, headers: Record<string, string>) => Promise<number>> = {
  async fetch({ origin }, path, headers) {
    const answer = await fetch(origin + path, { method: 'POST', headers, body: large })
    await answer.arrayBuffer()
    return answer.status
  },

  async 'node:http'({ origin }, path, headers) {
    const sent = request(origin + path, { method: 'POST', headers }).end(large)
    const [answer] = await once(sent, 'response')
    // The end of the test cuts it off while it is still sending.
    sent.on('error', () => undefined)
    await answer.resume().toArray()
    return answer.statusCode
  },

  async 'node:http, chunked'({ origin }, path, headers) {
    const sent = request(origin + path, { method: 'POST', headers })
    sent.write(large)
    sent.end()
    const [answer] = await once(sent, 'response')
    // The end of the test cuts it off while it is still sending.
    sent.on('error', () => undefined)
    await answer.resume().toArray()
    return answer.statusCode
  },

  // As a blocking client does, it does not read before it has sent everything.
  async 'a socket that sends first and reads then'({ origin }, path, headers) {
    const lines = Object.entries({ host: 'petstore', 'content-length': large.length, ...headers })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n`)
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.write(large, () => resolve())
    })
    const [answer] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer.toString())?.[1])
  },
}

const refusals: Record<number, (app: TestApp) => [path: string, headers: Record<string, string>]> = {
  401: () => ['/v1/pets', { 'content-type': 'application/json' }],
  404: (app) => ['/v1/nope', headersOf(app)],
  405: (app) => ['/v1/pets/1', headersOf(app)],
  413: (app) => ['/v1/pets', headersOf(app)],
  414: (app) => [`/v1/${'x'.repeat(5_000)}`, headersOf(app)],
  415: (app) => ['/v1/pets', { ...headersOf(app), 'content-type': 'text/plain' }],
  417: (app) => ['/v1/pets', { ...headersOf(app), expect: 'tea' }],
  431: (app) => ['/v1/pets', { ...headersOf(app), 'x-large': 'x'.repeat(9_000) }],
}

function headersOf({ key }: TestApp): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
}

for (const [name, send] of Object.entries(clients)) {
  for (const [status, refusal] of Object.entries(refusals)) {
    // fetch refuses to send an expectation.
    if (name === 'fetch' && status === '417') continue

    test(`a client that sends 5 MB at once gets its ${status}: ${name}`, async (t) => {
      const app = await startApp(t)
      const [path, headers] = refusal(app)

      for (let round = 0; round < rounds; round++) {
        assert.equal(await send(app, path, headers), Number(status), `round ${round}`)
      }
    })
  }
}

for (const [bound, connectionLimits] of [
  ['time', { lingerMs: 200 }],
  ['number of bytes', { maxLingerBytes: 1_000_000 }],
] as const) {
  for (const status of [401, 413, 431]) {
    test(`a client that keeps sending after its ${status} is read for a limited ${bound}`, (t) =>
      unlessStalled(50, async () => {
        const app = await startApp(t, { connectionLimits: { ...connectionLimits, bodyTimeoutMs: 100 } })
        app.app.server.headersTimeout = 100
        const [path, headers] = refusals[status]?.(app) ?? []
        const socket = connect({ port: Number(new URL(app.origin).port), host: '127.0.0.1', allowHalfOpen: true })
        const lines = Object.entries({ host: 'petstore', 'transfer-encoding': 'chunked', ...headers })
        socket.write(`POST ${path} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n`)
        const chunk = `${(100_000).toString(16)}\r\n${' '.repeat(100_000)}\r\n`
        const sending = setInterval(() => socket.write(chunk), 5)
        t.after(() => clearInterval(sending))

        const [answer] = (await once(socket, 'data')) as [Buffer]
        const [error] = await once(socket, 'error')

        assert.match(answer.toString(), new RegExp(`^HTTP/1.1 ${status} `))
        assert.match(error.code, /^(ECONNRESET|EPIPE)$/)
      }))
  }
}

test('requests after the last response of a connection are discarded', async (t) => {
  const app = await startApp(t)
  let taken = 0
  app.app.server.on('request', () => taken++)
  const socket = connect({ port: Number(new URL(app.origin).port), host: '127.0.0.1', allowHalfOpen: true })
  socket.write(
    'POST /console/sign-in HTTP/1.1\r\nHost: petstore\r\nContent-Type: application/json\r\nContent-Length: 70000\r\n\r\n',
  )
  const [answer] = (await once(socket, 'data')) as [Buffer]

  socket.end(' '.repeat(70_000) + 'GET /livez HTTP/1.1\r\nHost: petstore\r\n\r\n'.repeat(1_000))
  await once(socket, 'close')

  assert.match(answer.toString(), /^HTTP\/1\.1 413 /)
  assert.equal(taken, 1)
})
