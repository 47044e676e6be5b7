import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Exchange } from '../../src/http/exchange.ts'
import type { Site } from '../../src/http/request/received-request.ts'
import { trackConnections } from '../../src/http/server/connections.ts'
import { defaultConnectionLimits } from '../../src/http/server/limits.ts'
import { lingeringSockets } from '../../src/http/server/linger.ts'
import { openByteBudget } from '../../src/inventory/byte-budget.ts'
import { until } from '../support/until.ts'

test('pipelined requests count until they are started, are dropped, or their connection is closed', async (t) => {
  const started: Exchange[] = []
  const connections = trackConnections({
    limits: defaultConnectionLimits,
    lingering: lingeringSockets(defaultConnectionLimits),
    site: { budget: openByteBudget() } as Site,
    answer: (exchange) => started.push(exchange),
    isLeaving: () => false,
  })
  const server = createServer(connections.receive).on('connection', connections.accept).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.after(() => client.destroy())
  client.write('GET / HTTP/1.1\r\nHost: petstore\r\n\r\n'.repeat(5))

  await until(() => connections.pipelinedCount() === 4)
  started[0]?.response.outgoing.end()
  await until(() => started.length === 2)
  assert.equal(connections.pipelinedCount(), 3)
  const [connection] = connections.all()
  connection?.dropLast()
  assert.equal(connections.pipelinedCount(), 2)
  connection?.socket.destroy()
  await until(() => connections.count() === 0)
  assert.equal(connections.pipelinedCount(), 0)
})
