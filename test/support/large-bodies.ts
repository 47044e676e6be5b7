import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import type { TestApp } from './app.ts'

/** Far more than the system keeps for a connection. */
const large = Buffer.alloc(5_000_000, ' ')

/** Ways to send a request with a large body. Each returns the status of the answer, and fails if there is none. */
export const clients: Record<string, (app: TestApp, path: string, headers: Record<string, string>) => Promise<number>> =
  {
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

/** Requests that are refused before their body is read, by the status of the response. */
export const refusals: Record<number, (app: TestApp) => [path: string, headers: Record<string, string>]> = {
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
