import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { startApp } from '../support/app.ts'
import { sqlite } from '../support/engines.ts'

test('a request of one key does not stand behind a hundred of another, however their headers are written', async (t) => {
  const storage = await sqlite.open(t)
  let lists = 0
  const list: typeof storage.orders.list = (...given) => {
    lists++
    spin(2)
    return storage.orders.list(...given)
  }
  const app = await startApp(t, { storage: { ...storage, orders: { ...storage.orders, list } } })
  const { secret } = await app.makeKey({ permission: 'read' })
  const { port } = new URL(app.origin)
  const crowd = await Promise.all(Array.from({ length: 100 }, () => open(t, port)))
  const other = await open(t, port)
  const answers = crowd.map((socket) => once(socket, 'data'))

  for (const [index, socket] of crowd.entries()) {
    socket.write(requestFor('/v1/store/orders', `${' '.repeat(index)}${app.key}`))
  }
  await answers[0]
  other.write(requestFor('/v1/pets', secret))
  await once(other, 'data')

  const before = lists
  await Promise.all(answers)
  assert.equal(lists, 100)
  assert.ok(before < 50, `${before} of the other key came first`)
})

async function open(t: TestContext, port: string): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1')
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

function requestFor(path: string, key: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: petstore\r\nAuthorization: Bearer ${key}\r\n\r\n`
}

function spin(ms: number): void {
  for (const start = performance.now(); performance.now() < start + ms; );
}
