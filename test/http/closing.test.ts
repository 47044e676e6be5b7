import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'

const post = 'POST /console/sign-in HTTP/1.1\r\nHost: petstore\r\nContent-Type: application/json\r\n'

/** What clients sent before they fell silent, and how far that got. Each keeps its connection open. */
const clients: Record<string, { sent: string; until: 'connection' | 'request' | 'answer' }> = {
  'has not begun a request': { sent: '', until: 'connection' },
  'has sent half a head': { sent: post, until: 'connection' },
  'has sent half a body': { sent: `${post}Content-Length: 70\r\n\r\n{`, until: 'request' },
  'has its answer and half a body to send': { sent: `${post}Content-Length: 70000\r\n\r\n{`, until: 'answer' },
  'was refused by the parser': { sent: 'no HTTP\r\n\r\n', until: 'answer' },
  'asked for a tunnel': { sent: 'CONNECT petstore:80 HTTP/1.1\r\nHost: petstore:80\r\n\r\n', until: 'answer' },
}

for (const [what, { sent, until }] of Object.entries(clients)) {
  test(`a client that ${what} does not keep the server from closing`, { timeout: 25_000 }, async (t) => {
    const { app, origin } = await startApp(t, { connectionLimits: { closeIdleMs: 100, closeAllMs: 300 } })
    const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', allowHalfOpen: true })
    t.after(() => socket.destroy())
    socket.on('error', () => undefined)
    const arrived = until === 'answer' ? once(socket, 'data') : once(app.server, until)
    socket.write(sent)
    await arrived

    await app.close()
  })
}
