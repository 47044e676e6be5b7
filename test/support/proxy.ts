import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** A proxy to a server that can inject faults. */
export interface Proxy {
  port: number
  /** Sees what the client sends. Returns false to withhold the responses from now on. */
  watch: (bytes: Buffer) => boolean
  /**
   * Returns the bytes to forward to the server. If it returns fewer, they are the last of their connection: from then
   * on neither end receives anything, not even the end of the connection.
   */
  pass: (bytes: Buffer) => Buffer
  /** What the server sends is forwarded afterwards. */
  delay: Promise<void> | undefined
  /** Closes all connections. */
  cut(): void
}

export async function startProxy(t: TestContext, target: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const proxy: Proxy = {
    port: 0,
    watch: () => true,
    pass: (bytes) => bytes,
    delay: undefined,
    cut() {
      for (const socket of sockets) socket.destroy()
    },
  }
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    let answers = true
    let frozen = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        if (frozen) return
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (bytes: Buffer) => {
      if (frozen) return
      answers &&= proxy.watch(bytes)
      const passed = proxy.pass(bytes)
      frozen = passed.length < bytes.length
      upstream.write(passed)
    })
    upstream.on('data', async (bytes) => {
      if (proxy.delay !== undefined) await proxy.delay
      if (answers && !frozen) client.write(bytes)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.port = (server.address() as AddressInfo).port
  t.after(() => {
    proxy.cut()
    server.close()
  })
  return proxy
}
