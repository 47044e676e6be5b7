import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { clients, refusals } from '../support/large-bodies.ts'
import { unlessStalled } from '../support/promised-time.ts'

const blocking = 'a socket that sends first and reads then'

// Each client and each status once; test/http/slow/large-bodies.test.ts has all pairs, many times.
for (const [name, send] of Object.entries(clients)) {
  for (const [status, refusal] of Object.entries(refusals)) {
    if (name !== blocking && status !== '413') continue

    test(`a client that sends 5 MB at once gets its ${status}: ${name}`, async (t) => {
      const app = await startApp(t)

      assert.equal(await send(app, ...refusal(app)), Number(status))
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
