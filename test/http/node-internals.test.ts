import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'

/** Parts of a response that `response-head.ts` sets. */
const partsOfResponses = [
  '_header',
  '_headerSent',
  '_hasBody',
  '_last',
  '_keepAliveTimeout',
  '_expect_continue',
  '_sent100',
]

/** Parts of Node that have no public form. Each is used in one file, and a new version of Node may change it. */
interface Internals extends Socket {
  parser: { onIncoming: unknown; getCurrentBuffer: unknown; [callback: number]: unknown }
  destroySoon: () => void
  _handle: { writeQueueSize: unknown; setBlocking: unknown }
}

test('a response of Node has the private parts that its head is written to', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  assert.deepEqual(
    partsOfResponses.filter((name) => !(name in response)),
    [],
  )

  Object.assign(response, { _header: 'HTTP/1.1 200 OK\r\n\r\n' })

  assert.equal(response.headersSent, true)
})

test('Node has the private parts that the server relies on', async (t) => {
  const { app, origin } = await startApp(t)
  const accepted = once(app.server, 'connection')
  const client = connect(Number(new URL(origin).port), '127.0.0.1')
  t.after(() => client.destroy())
  const [socket] = (await accepted) as [Internals]
  const { kOnExecute } = socket.parser.constructor as { kOnExecute?: number }
  const { _handle: connection } = socket
  const { _handle: handle } = app.server as unknown as { _handle: { listen: unknown } }

  const kinds = {
    'read-bytes.ts: requests after the last response are parsed and kept': typeof socket.parser.onIncoming,
    'connections.ts: a connection is closed before its client has sent everything': typeof socket.destroySoon,
    'stop-listening.ts: connections that are not accepted yet are reset': typeof handle.listen,
    'unsent-responses.ts: a client that reads a large page counts as silent': typeof connection.writeQueueSize,
    // That of a terminal has it from the same class.
    'stderr.ts: the service stands still while somebody scrolls back in its terminal': typeof connection.setBlocking,
    'read-bytes.ts: spaces in a first line are not seen': typeof socket.parser.getCurrentBuffer,
    'read-bytes.ts: a first line that arrives in pieces is not seen': typeof socket.parser[kOnExecute ?? -1],
  }

  assert.deepEqual(
    Object.entries(kinds).filter(([name, kind]) => kind !== (name.startsWith('unsent') ? 'number' : 'function')),
    [],
    'without these parts, what stands here happens',
  )
})
