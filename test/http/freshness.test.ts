import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { connect as connectTls } from 'node:tls'
import type { AppOptions } from '../../src/http/app.ts'
import type { Creation } from '../../src/inventory/pets.ts'
import { rawRequest, startApp, type TestApp } from '../support/app.ts'
import { certificate } from '../support/certificates.ts'
import { openShopTwice } from '../support/shop-twice.ts'
import { until } from '../support/until.ts'

/** Once `renamed` is set: after the next version check, another connection renames Rex to Max, and it is called. */
async function openShop(t: TestContext, options: Partial<AppOptions> = {}) {
  const { storage, rename } = await openShopTwice(t)
  const shop = { renamed: undefined as (() => void) | undefined }
  const version = storage.version
  storage.version = () => {
    const { renamed } = shop
    const now = version()
    if (renamed === undefined) return now
    shop.renamed = undefined
    rename('Max')
    renamed()
    return now
  }
  const app = await startApp(t, { ...options, storage })
  return { app, shop, storage }
}

const headersOf = ({ key }: TestApp) => ['Host: shop.example', `Authorization: Bearer ${key}`]
const get = (app: TestApp) => rawRequest('GET /v1/pets/1', headersOf(app))

const portOf = ({ origin }: TestApp) => Number(new URL(origin).port)

async function open(t: TestContext, app: TestApp) {
  const socket = connect(portOf(app), '127.0.0.1').setNoDelay()
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  return collect(socket)
}

function collect<Connection extends Socket>(socket: Connection) {
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  return {
    socket,
    received: () => received,
    /** The same, and forgets it. */
    take() {
      const taken = received
      received = ''
      return taken
    },
  }
}

/**
 * Asks for Rex until the response comes from memory. From then on a request is answered before the next one is read, with
 * what its version check saw.
 */
async function cacheRex(app: TestApp, connection: ReturnType<typeof collect>, request = get(app)): Promise<void> {
  for (let times = 0; times < 2; times++) {
    connection.socket.write(request)
    await until(() => connection.take().includes('"Rex"'))
  }
}

for (const [start, headers] of [
  ['POST /v1/pets', ['Content-Type: text/plain']],
  ['GET /v1/pets?limit=1', []],
] as const) {
  test(`a request that arrives with the end of the body of ${start} is not stale`, async (t) => {
    const { app, shop } = await openShop(t)
    const [first, second] = [await open(t, app), await open(t, app)]
    await cacheRex(app, first)
    const withBody = rawRequest(start, [...headersOf(app), ...headers], 'a body')
    second.socket.write(withBody.slice(0, -1))
    await until(() => /\r\n\r\n./.test(second.received()))

    shop.renamed = () => second.socket.write(get(app))
    first.socket.write(get(app))
    second.socket.write(withBody.slice(-1))

    await until(() => second.received().includes('successor-version'))
    assert.match(first.received(), /"Rex"/)
    assert.match(second.received(), /"Max"/)
  })
}

test('a request that arrives with an empty line is not stale', async (t) => {
  const { app, shop } = await openShop(t)
  const [first, second] = [await open(t, app), await open(t, app)]
  await cacheRex(app, first)
  await cacheRex(app, second)

  shop.renamed = () => second.socket.write(get(app))
  first.socket.write(get(app))
  second.socket.write('\r\n')

  await until(() => second.received().includes('successor-version'))
  assert.match(first.received(), /"Rex"/)
  assert.match(second.received(), /"Max"/)
})

test('a request that arrives with an empty line is not stale, though its headers are shorter by as much', async (t) => {
  const { app, shop } = await openShop(t)
  const [first, second] = [await open(t, app), await open(t, app)]
  const short = get(app).replace(': ', ':').replace(': ', ':')
  await cacheRex(app, first)
  await cacheRex(app, second, short)

  shop.renamed = () => second.socket.write(short)
  first.socket.write(get(app))
  second.socket.write('\r\n')

  await until(() => second.received().includes('successor-version'))
  assert.match(first.received(), /"Rex"/)
  assert.match(second.received(), /"Max"/)
})

test('a request that arrives with the end of a TLS handshake is not stale', async (t) => {
  const tls = certificate('first')
  const { app, shop } = await openShop(t, { certificate: tls })
  const openTls = async (port: number) => {
    const socket = connectTls({ port, host: '127.0.0.1', ca: tls.cert }).setNoDelay()
    t.after(() => socket.destroy())
    await once(socket, 'secureConnect')
    return collect(socket)
  }
  const relay = await holdAfterHello(t, app)
  const [first, second] = [await openTls(portOf(app)), await openTls(relay.port)]
  await cacheRex(app, first)
  await until(() => relay.held.length > 0)
  const endOfHandshake = Buffer.concat(relay.held.splice(0))
  second.socket.write(get(app))
  await until(() => relay.held.length > 0)

  shop.renamed = () => relay.send(Buffer.concat(relay.held))
  first.socket.write(get(app))
  relay.send(endOfHandshake)

  await until(() => second.received().includes('successor-version'))
  assert.match(first.received(), /"Rex"/)
  assert.match(second.received(), /"Max"/)
})

test('a request that was sent with a create shows it, also if others of its batch were answered before', async (t) => {
  const { app, shop, storage } = await openShop(t)
  const [first, second] = [await open(t, app), await open(t, app)]
  await cacheRex(app, first)
  const creating = Promise.withResolvers<void>()
  const created = Promise.withResolvers<Creation>()
  storage.pets.create = () => {
    creating.resolve()
    return created.promise
  }
  const body = '{"name":"Max","categoryId":1}'
  const create = rawRequest('POST /v1/pets', [...headersOf(app), 'Content-Type: application/json'], body)
  second.socket.write(create + get(app))
  await creating.promise

  shop.renamed = () => created.resolve({ outcome: 'created', pet: { id: 2n, name: 'Tom', categoryId: 1n } })
  first.socket.write(get(app))

  await until(() => second.received().includes('successor-version'))
  assert.match(first.received(), /"Rex"/)
  assert.match(second.received(), /"Max"/)
})

/** A proxy for one connection that holds what the client sends after its first packet. */
async function holdAfterHello(t: TestContext, app: TestApp) {
  const held: Buffer[] = []
  const server = connect(portOf(app), '127.0.0.1').setNoDelay()
  const proxy = createServer((client) => {
    client.once('data', (hello) => {
      server.write(hello)
      client.on('data', (bytes: Buffer) => held.push(bytes))
    })
    server.pipe(client)
  }).listen(0, '127.0.0.1')
  t.after(() => {
    server.destroy()
    proxy.close()
  })
  await once(proxy, 'listening')
  return { port: (proxy.address() as AddressInfo).port, held, send: (bytes: Buffer) => void server.write(bytes) }
}
