import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { openReconnectingSession } from '../../src/storage/postgres/connection/reconnecting-session.ts'
import { readServer } from '../../src/storage/postgres/connection/server.ts'

test('a closed session opens no connection', async (t) => {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const session = openReconnectingSession(readServer(`postgres://petstore@127.0.0.1:${port}/petstore`), {
    timeoutMs: 1_000,
  })

  await session.close()

  await assert.rejects(session.connect(), /closed/)
  assert.equal(connections, 0)
})
