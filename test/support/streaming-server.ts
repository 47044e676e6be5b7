import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface Conversation {
  /** 1 for the first request. */
  count: number
  response: ServerResponse
}

/** A server that answers every request with an event stream written by `answer`. Stopped when the test ends. */
export async function streamingServer(
  t: TestContext,
  answer: (conversation: Conversation) => void,
  headers: Record<string, string> = { 'content-type': 'text/event-stream' },
): Promise<{ origin: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    response.writeHead(200, headers)
    answer({ count: requests.length, response })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
