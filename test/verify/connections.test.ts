import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { bareKey, type BareResponse, BareShop, error } from './bare-shop.ts'
import { idsOf, judge } from './judge.ts'

// Faults of connections, which a shop without a network does not have.

type Wrong = (right: BareResponse, request: IncomingMessage) => BareResponse | Promise<BareResponse>

const failure = error(500, 'internal', 'No.')

/** A shop whose responses are changed. `broken` is called for each request that a client did not end. */
async function serve(t: TestContext, change: Wrong, broken: () => void = () => undefined): Promise<URL> {
  const shop = new BareShop()
  const server = createServer({ keepAliveTimeout: 10_000 }, async (request, response) => {
    let body = ''
    try {
      for await (const chunk of request.setEncoding('utf8')) body += chunk
    } catch {
      return broken()
    }
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://localhost')
    const { authorization } = request.headers
    const right = shop.handle({ method: request.method ?? '', path: pathname, query, authorization, body })
    const { status, type, body: text } = await change(right, request)
    response.writeHead(status, { 'content-type': type }).end(text)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
}

async function failuresOf(url: URL, only: string): Promise<string[]> {
  return idsOf(await judge(url, bareKey, { only, settleMs: 300 }), 'failed')
}

test('a response to another request of the same pipeline is found', async (t) => {
  const right = await serve(t, (response) => response)
  const first = new WeakMap<Socket, BareResponse>()
  const wrong = await serve(t, async (response, { socket }) => {
    const earlier = first.get(socket)
    if (earlier !== undefined) return earlier
    first.set(socket, response)
    await new Promise((resolve) => void setTimeout(resolve, 5))
    first.delete(socket)
    return response
  })

  assert.deepEqual(await failuresOf(right, 'C-1-2'), [])
  assert.ok((await failuresOf(wrong, 'C-1-2')).includes('C-1-2'))
})

test('a request that gets no response behind another on its connection is found', async (t) => {
  const first = new WeakSet<Socket>()
  const wrong = await serve(t, async (response, { socket }) => {
    if (first.has(socket)) await new Promise(() => undefined)
    first.add(socket)
    await new Promise((resolve) => void setTimeout(resolve, 5))
    first.delete(socket)
    return response
  })

  const report = await judge(wrong, bareKey, { only: 'C-1-2', settleMs: 300, timeoutMs: 500 })

  assert.deepEqual(idsOf(report, 'failed'), ['C-1-2'])
})

test('a connection that fails after it was not used for a while is found', async (t) => {
  const used = new WeakMap<Socket, number>()
  const wrong = await serve(t, (response, { socket }) => {
    const [before, now] = [used.get(socket), performance.now()]
    used.set(socket, now)
    return before !== undefined && now - before > 200 ? failure : response
  })

  assert.ok((await failuresOf(wrong, 'C-4-13')).includes('C-4-13'))
})

test('a shop that fails after a client went away is found', async (t) => {
  let isBroken = false
  const wrong = await serve(
    t,
    (response) => {
      const isAfter = isBroken
      isBroken = false
      return isAfter ? failure : response
    },
    () => void (isBroken = true),
  )

  assert.ok((await failuresOf(wrong, 'C-4-17')).includes('C-4-17'))
})

test('a connection that gets no response any more, and is not closed, is found', async (t) => {
  const counts = new WeakMap<Socket, number>()
  const wrong = await serve(t, async (response, { socket, method }) => {
    const count = (counts.get(socket) ?? 0) + 1
    counts.set(socket, count)
    if (count > 60 && method === 'GET') await new Promise(() => undefined)
    return response
  })

  const report = await judge(wrong, bareKey, { only: 'C-4-13', settleMs: 300, timeoutMs: 500 })

  assert.deepEqual(idsOf(report, 'failed'), ['C-4-13'])
})

test('a connection that is confused by a body in chunks is found', async (t) => {
  const isConfused = new WeakSet<Socket>()
  const wrong = await serve(t, (response, { socket, headers }) => {
    const wasConfused = isConfused.has(socket)
    if (headers['transfer-encoding'] !== undefined) isConfused.add(socket)
    return wasConfused ? failure : response
  })

  assert.ok((await failuresOf(wrong, 'C-1-2')).includes('C-1-2'))
})

test('a shop that loses something with each client that goes away is found', async (t) => {
  let lost = 0
  const wrong = await serve(
    t,
    (response) => (lost > 30 ? failure : response),
    () => void lost++,
  )

  assert.ok((await failuresOf(wrong, 'C-4-17')).includes('C-4-17'))
})
