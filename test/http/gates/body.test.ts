import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { bodyLimit } from '../../../src/contract/body-limit.ts'
import type { Route } from '../../../src/http/exchange.ts'
import { readBody } from '../../../src/http/gates/body.ts'
import { maxSmallResponse, type Reservation } from '../../../src/inventory/byte-budget.ts'
import { unavailable } from '../../../src/inventory/errors.ts'
import { makeExchange, makeResponse } from '../../support/exchange.ts'

const chunked = ['Transfer-Encoding', 'chunked']
const ofLength = (length: number) => ['Content-Length', String(length)]

/** A request whose body arrives when the test pushes it, and the memory that it reserves. */
function arriving({ rawHeaders = chunked, method = 'POST', room = Promise.resolve() } = {}) {
  const incoming = new IncomingMessage(new Socket())
  const reserved: number[] = []
  let bytes = 0
  let cut = () => undefined as void
  const reservation = {
    get bytes() {
      return bytes
    },
    async resize(size) {
      reserved.push(size)
      await room
      bytes = size
    },
    tryResize: (size) => (reserved.push(size), (bytes = size), true),
    startSending: (end) => void (cut = end),
  } as Partial<Reservation> as Reservation
  const exchange = makeExchange({ method, rawHeaders, incoming, reservation })
  return { incoming, exchange, reserved, cut: () => cut() }
}

const listenersOf = (incoming: IncomingMessage) =>
  ['data', 'end', 'error'].map((name) => incoming.listenerCount(name)).join()

test('a body is what arrived, in as many parts as it came', async () => {
  for (const parts of [['{}'], ['{', '"name":', '"Rex"', '}'], ['ä'.repeat(100), 'b', 'c'.repeat(1_000), 'd']]) {
    const { incoming, exchange, reserved } = arriving()
    const isRead = readBody(exchange)

    for (const part of parts) incoming.push(Buffer.from(part))
    incoming.push(null)
    await isRead

    assert.equal(String(exchange.findings.body), parts.join(''))
    assert.equal(exchange.response.closesConnection, false)
    assert.deepEqual(reserved, [])
    assert.equal(listenersOf(incoming), '0,0,0')
  }
})

for (const [name, made] of [
  ['has neither a length nor a coding', { rawHeaders: [] }],
  ['has a method whose body has no meaning', { method: 'DELETE', rawHeaders: ofLength(2) }],
] as const) {
  test(`nothing is read for a request that ${name}`, () => {
    const { incoming, exchange } = arriving({ ...made, rawHeaders: [...made.rawHeaders] })

    assert.equal(readBody(exchange), undefined)
    assert.equal(listenersOf(incoming), '0,0,0')
  })
}

test('nothing is read for a handler that reads the body itself, nor for a request that no connection has brought', () => {
  const { incoming, exchange } = arriving()
  exchange.findings.route = { streamsBody: true } as Partial<Route> as Route

  assert.equal(readBody(exchange), undefined)
  assert.equal(listenersOf(incoming), '0,0,0')
  assert.equal(readBody(makeExchange({ method: 'POST', rawHeaders: chunked })), undefined)
})

test('a client that waits for 100 Continue is told to send its body', (t: TestContext) => {
  const outgoing = makeResponse()
  const { mock } = t.mock.method(outgoing, 'writeContinue', () => undefined)
  const incoming = new IncomingMessage(new Socket())

  void readBody(
    makeExchange({ method: 'POST', rawHeaders: [...chunked, 'Expect', '100-continue'], incoming, outgoing }),
  )

  assert.equal(mock.callCount(), 1)
})

test('a body of 64 KiB is read, and one byte more is refused, before it is sent if its length is known', async () => {
  for (const rawHeaders of [chunked, ofLength(bodyLimit)]) {
    const { incoming, exchange } = arriving({ rawHeaders })
    const isRead = readBody(exchange)
    incoming.push(Buffer.alloc(bodyLimit))
    incoming.push(null)
    await isRead
    assert.equal((exchange.findings.body as Buffer).length, bodyLimit)
  }

  const announced = arriving({ rawHeaders: ofLength(bodyLimit + 1) })
  await assert.rejects(readBody(announced.exchange) as Promise<void>, { code: 'payload_too_large' })
  assert.equal(announced.exchange.response.closesConnection, true)
  assert.equal(listenersOf(announced.incoming), '0,0,0')

  const { incoming, exchange } = arriving()
  const isRead = readBody(exchange) as Promise<void>
  incoming.push(Buffer.alloc(bodyLimit + 1))
  await assert.rejects(isRead, { code: 'payload_too_large' })
  assert.equal(exchange.response.closesConnection, true)
  assert.equal(exchange.findings.body, undefined)
  assert.equal(listenersOf(incoming), '0,0,0')
})

for (const [rawHeaders, bytes] of [
  [chunked, bodyLimit],
  [ofLength(40_000), 40_000],
] as const) {
  test(`the rest of a body above 16 KiB is read when ${bytes} bytes are free, which it gives back`, async () => {
    const room = Promise.withResolvers<void>()
    const { incoming, exchange, reserved } = arriving({ rawHeaders: [...rawHeaders], room: room.promise })
    const isRead = readBody(exchange)
    incoming.push(Buffer.alloc(maxSmallResponse))
    await setImmediate()
    assert.deepEqual(reserved, [])

    incoming.push(Buffer.alloc(1))
    await setImmediate()
    assert.deepEqual(reserved, [bytes])
    assert.equal(incoming.isPaused(), true)

    room.resolve()
    await setImmediate()
    assert.equal(incoming.isPaused(), false)
    incoming.push(Buffer.alloc(100))
    incoming.push(null)
    await isRead
    assert.deepEqual(reserved, [bytes, 0])
    assert.equal((exchange.findings.body as Buffer).length, maxSmallResponse + 101)
  })
}

test('a body that has arrived whole reserves nothing', async () => {
  const { incoming, exchange, reserved } = arriving()
  incoming.complete = true
  const isRead = readBody(exchange)

  incoming.push(Buffer.alloc(bodyLimit))
  incoming.push(null)
  await isRead

  assert.deepEqual(reserved, [])
})

test('a body for which no memory becomes free is refused, and the rest of it is not read', async () => {
  const { incoming, exchange } = arriving({ room: Promise.reject(unavailable('Later.')) })
  const isRead = readBody(exchange) as Promise<void>
  incoming.push(Buffer.alloc(maxSmallResponse + 1))

  await assert.rejects(isRead, { code: 'unavailable', message: 'Later.' })
  assert.equal(exchange.response.closesConnection, true)
  assert.equal(listenersOf(incoming), '0,0,0')
})

test('a body that arrives slowly while others wait for memory is cut', async () => {
  const { incoming, exchange, reserved, cut } = arriving()
  const isRead = readBody(exchange) as Promise<void>
  incoming.push(Buffer.alloc(maxSmallResponse + 1))
  await setImmediate()

  cut()

  await assert.rejects(isRead, { code: 'unavailable', message: /arrives too slowly/ })
  assert.deepEqual(reserved, [bodyLimit, 0])
  assert.equal(listenersOf(incoming), '0,0,0')
})

test('a request whose connection ends, or had ended before it was read, is refused', async () => {
  for (const when of ['before', 'while']) {
    const { incoming, exchange } = arriving()
    if (when === 'before') incoming.destroy()
    const isRead = readBody(exchange) as Promise<void>
    if (when === 'while') incoming.destroy(new Error('aborted'))

    await assert.rejects(isRead, { code: 'invalid_request', message: /connection ended before the request did/ })
    assert.equal(exchange.response.closesConnection, true)
  }
})
