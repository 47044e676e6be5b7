import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { Webhook } from 'standardwebhooks'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** The number of the event; of a test its id. */
  id: string
  type: string
}

export interface Receiver {
  url: string
  received: Received[]
  server: Server
  /** The ids of the events that came to this path, in order. */
  ids(path?: string): string[]
}

/** What a receiver responds: a status, or undefined for nothing at all. */
export type Respond = (received: Received) => number | undefined

/** A receiver of webhooks on a free port, or on `port`. Closed when the test ends. */
export async function startReceiver(t: TestContext, respond: Respond = () => 204, port = 0): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (bytes: Buffer) => (body += bytes.toString()))
    request.on('end', () => {
      const { id, sequence, type } = JSON.parse(body) as { id: string; sequence?: string; type: string }
      const number = sequence === undefined ? id : String(BigInt(sequence))
      const each = { path: request.url ?? '', headers: request.headers, body, id: number, type }
      received.push(each)
      const status = respond(each)
      if (status !== undefined) response.writeHead(status).end(status === 204 ? undefined : 'a response')
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    server,
    ids: (path) => received.filter((each) => path === undefined || each.path === path).map(({ id }) => id),
  }
}

/** Throws unless the reference library accepts the signature. */
export function verify({ body, headers }: Received, secret: string): void {
  new Webhook(secret).verify(body, headers as Record<string, string>)
}
