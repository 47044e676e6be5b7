import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { send, type SendOptions } from '../../src/webhooks/send.ts'

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
export const message = { id: '17', body: '{"name":"Zoë"}' }
export const open = { addresses: { allowPrivate: true } }

/** An endpoint that does with a connection what it likes. Returns its URL and the heads and bodies it got. */
export async function endpoint(t: TestContext, respond: (socket: Socket) => void) {
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

export function deliver(url: string, options: SendOptions = open) {
  return send(message, { url, format: 'json', secrets: [secret] }, options)
}
