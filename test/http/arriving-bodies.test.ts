import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { readBody } from '../../src/http/gates/body.ts'
import { openByteBudget } from '../../src/inventory/byte-budget.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { rawRequest, startApp } from '../support/app.ts'
import { sqliteInMemory } from '../support/engines.ts'
import { makeExchange } from '../support/exchange.ts'
import { json } from '../support/raw-requests.ts'
import { until } from '../support/until.ts'

/** A service and a connection to it, of which the test sends what it likes. */
async function open(t: TestContext, storage?: Storage) {
  const { open: openReservation, ...rest } = openByteBudget({ lanes: [{ upToBytes: Infinity, maxBytes: 1_000_000 }] })
  const asked: number[] = []
  const budget: typeof rest & { open: typeof openReservation } = {
    ...rest,
    open(owner) {
      const reservation = openReservation(owner)
      const { resize } = reservation
      reservation.resize = (bytes) => {
        asked.push(bytes)
        return resize(bytes)
      }
      return reservation
    },
  }
  const app = await startApp(t, { budget, ...(storage !== undefined && { storage }) })
  const accepted = once(app.app.server, 'connection')
  const socket = connect(Number(new URL(app.origin).port), '127.0.0.1')
  t.after(() => socket.destroy())
  const [peer] = (await accepted) as [Socket]
  let answer = ''
  socket.setEncoding('latin1').on('data', (text: string) => (answer += text))
  let sentBytes = 0
  return {
    ...app,
    budget,
    /** The reservations that had to be waited for, or might have had to. */
    asked,
    socket,
    answer: () => answer,
    head: (start: string, ...headers: string[]) =>
      rawRequest(start, ['Host: petstore', `Authorization: Bearer ${app.key}`, ...headers]),
    /** Resolves when the service has read it. */
    async write(text: string) {
      socket.write(text)
      sentBytes += text.length
      await until(() => peer.bytesRead === sentBytes)
    },
  }
}

/** An animal whose JSON has so many bytes. */
const animalOf = (bytes: number) => JSON.stringify({ name: 'x', categoryId: 1 }).padEnd(bytes)

for (const [name, header, wrap, reserved] of [
  ['a length', 'Content-Length: 60000', (text: string) => text, 60_000],
  ['chunks', 'Transfer-Encoding: chunked', (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`, 65_536],
] as const) {
  test(`memory for the rest of a large body with ${name} is reserved once, and given back when it has arrived`, async (t) => {
    const { head, write, budget, asked, answer } = await open(t)
    const body = animalOf(60_000)

    await write(head('POST /v1/pets', json, header) + wrap(body.slice(0, 16_384)))
    assert.equal(budget.stats().bytes, 0)
    await write(wrap(body.slice(16_384, 16_385)))
    await until(() => budget.stats().bytes === reserved)
    await write(wrap(body.slice(16_385, 40_000)))
    assert.equal(budget.stats().bytes, reserved)
    await write(wrap(body.slice(40_000)) + (name === 'chunks' ? '0\r\n\r\n' : ''))
    await until(() => answer().includes('}'))

    assert.match(answer(), /^HTTP\/1\.1 201 /)
    assert.deepEqual(asked, [reserved])
    await until(() => budget.stats().bytes === 0)
  })
}

test('the memory of a body is given back before its operation has ended', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const storing = Promise.withResolvers<void>()
  const { budget, head, write, answer } = await open(t, {
    ...storage,
    pets: {
      ...storage.pets,
      async create(...all) {
        await storing.promise
        return storage.pets.create(...all)
      },
    },
  })
  await write(head('POST /v1/pets', json, 'Content-Length: 60000') + animalOf(60_000).slice(0, 30_000))
  await until(() => budget.stats().bytes === 60_000)
  await write(animalOf(60_000).slice(30_000))
  await until(() => budget.stats().bytes === 0)

  assert.equal(answer(), '')
  storing.resolve()
  await until(() => answer().includes('}'))
})

test('a body that arrives together with its head waits for no memory', async (t) => {
  const { head, write, asked, answer } = await open(t)

  await write(head('POST /v1/pets', json, 'Content-Length: 20000') + animalOf(20_000))
  await until(() => answer().includes('}'))

  assert.match(answer(), /^HTTP\/1\.1 201 /)
  assert.deepEqual(asked, [])
})

test('a body whose connection ended while the request waited for its turn is not waited for', async () => {
  const incoming = new IncomingMessage(new Socket())
  incoming.destroy()
  const exchange = makeExchange({ method: 'POST', rawHeaders: ['Content-Length', '5'], incoming })

  await assert.rejects(async () => readBody(exchange), { code: 'invalid_request' })
  assert.equal(exchange.response.closesConnection, true)
})

test('a small body reserves nothing', async (t) => {
  const { head, write, budget, answer } = await open(t)
  const reserved: number[] = []
  const timer = setInterval(() => reserved.push(budget.stats().bytes), 1)
  t.after(() => clearInterval(timer))

  await write(head('POST /v1/pets', json, 'Content-Length: 16000') + animalOf(16_000).slice(0, 12_000))
  await write(animalOf(16_000).slice(12_000))
  await until(() => answer().includes('}'))
  await until(() => reserved.length > 3)

  assert.match(answer(), /^HTTP\/1\.1 201 /)
  assert.deepEqual([...new Set(reserved)], [0])
})

test('a client that leaves in the middle of its body gives its memory back, and adds nothing', async (t) => {
  const { head, write, budget, socket, send } = await open(t)
  await write(head('POST /v1/pets', json, 'Content-Length: 60000') + animalOf(30_000))
  await until(() => budget.stats().bytes === 60_000)
  socket.destroy()
  await until(() => budget.stats().bytes === 0)

  assert.equal((await send('/v1/pets')).text, '[]')
})

test('a body that is too large closes the connection: its rest would be taken for a request', async (t) => {
  const { head, write, answer, socket } = await open(t)
  const closed = once(socket, 'end')

  await write(head('POST /v1/pets', json, 'Content-Length: 65537'))
  await until(() => answer().includes('}'))

  assert.match(answer(), /^HTTP\/1\.1 413 .*connection: close/is)
  socket.end()
  await closed
})

test('the body of a method that has none is not waited for, however large it is', async (t) => {
  const { head, write, answer } = await open(t)

  await write(head('GET /v1/pets', 'Content-Length: 100000'))
  await until(() => answer().includes(']'))

  assert.match(answer(), /^HTTP\/1\.1 200 /)
})
