import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface Balancer {
  readonly origin: string
  /** The origins that get new requests, one after the other. Without any, the answer is 503. */
  targets: string[]
}

/** One address for several instances, as a load balancer has it. Requests that were begun stay where they are. */
export async function startBalancer(t: TestContext): Promise<Balancer> {
  let turn = 0
  // No connection of a client is closed while a test goes on: it might be used at that moment.
  const server = createServer({ keepAliveTimeout: 600_000 }, (incoming, outgoing) => {
    const target = balancer.targets[turn++ % balancer.targets.length]
    if (target === undefined) return void outgoing.writeHead(503).end()
    const { method = 'GET', url } = incoming
    // A connection of its own: one that is kept might be closed just when it is used.
    const headers = { ...incoming.headers, connection: 'close' }
    const forwarded = request(new URL(url ?? '/', target), { method, headers, agent: false }, (response) => {
      // Of that connection, not of the client's: a client would believe that it is kept as long.
      const { connection: _connection, 'keep-alive': _kept, ...others } = response.headers
      outgoing.writeHead(response.statusCode ?? 502, others)
      response.pipe(outgoing)
      response.on('error', () => outgoing.destroy())
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const balancer: Balancer = { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, targets: [] }
  return balancer
}
