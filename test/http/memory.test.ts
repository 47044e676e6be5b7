import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type BudgetLimits, openByteBudget } from '../../src/inventory/byte-budget.ts'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { until } from '../support/until.ts'

const largeName = 'x'.repeat(30_000)

/** A shop with a large animal, whose memory another client has taken, until `giveBack`. */
async function startFull(t: TestContext, limits: Partial<BudgetLimits> = {}) {
  const budget = openByteBudget({ lanes: [{ upToBytes: Infinity, maxBytes: 1_000_000 }], ...limits })
  const app = await startApp(t, { budget })
  await app.create({ name: largeName, categoryId: 1 })
  await app.create({ name: 'Rex', categoryId: 2 })
  await until(() => budget.stats().bytes === 0)
  const other = budget.open('another key')
  other.force(1_000_000)
  // Without a coding, because this name would be small with one.
  const send: typeof app.send = (path, { headers, ...init } = {}) =>
    app.send(path, {
      ...init,
      headers: { 'accept-encoding': 'identity', authorization: `Bearer ${app.key}`, ...headers },
    })
  return { ...app, send, budget, giveBack: () => other.end() }
}

test('a response that needs more memory than is free waits its turn', async (t) => {
  const { send, budget, giveBack } = await startFull(t)
  const page = send('/v1/pets?categoryId=1')
  await until(() => budget.stats().waiting === 1)

  giveBack()

  const { status, body } = await page
  assert.equal(status, 200)
  assert.equal((body as { name: string }[])[0]?.name, largeName)
  await until(() => budget.stats().bytes === 0)
})

test('after the longest wait it is 503 with Retry-After, and small responses are sent meanwhile', async (t) => {
  const { send, budget, failures } = await startFull(t, { maxWaitMs: 200 })
  const large = send('/v1/pets?categoryId=1')
  await until(() => budget.stats().waiting === 1)
  const small = await send('/v1/pets?categoryId=2')
  const refused = await large

  assert.equal(small.status, 200)
  assertError(refused, 'unavailable')
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.deepEqual(
    failures.map(({ message }) => /memory/.test(message)),
    [true],
  )
})

test('a page in the response cache waits, too', async (t) => {
  const { send, budget, giveBack } = await startFull(t)
  giveBack()
  for (let times = 0; times < 3; times++) await send('/v1/pets?categoryId=1')
  await until(() => budget.stats().bytes === 0)
  const other = budget.open('another key')
  other.force(1_000_000)

  const page = send('/v1/pets?categoryId=1')
  await until(() => budget.stats().waiting === 1)
  other.end()

  assert.equal((await page).status, 200)
})

test('a change is never refused for the memory of its response, and HEAD and 304 need none', async (t) => {
  const { send, sendJson, giveBack } = await startFull(t)
  const changed = await sendJson('PATCH /v1/pets/1', { status: 'sold' })
  const head = await send('/v1/pets/1', { method: 'HEAD' })
  const etag = head.headers.get('etag') ?? ''
  const known = await send('/v1/pets/1', { headers: { 'if-none-match': etag } })

  assert.deepEqual([changed.status, head.status, known.status], [200, 200, 304])
  giveBack()
})

test('a client that leaves while it waits leaves the queue', async (t) => {
  const { origin, key, budget } = await startFull(t)
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(`GET /v1/pets?categoryId=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  await until(() => budget.stats().waiting === 1)

  socket.resetAndDestroy()

  await until(() => budget.stats().waiting === 0)
})

test('an export reserves what it needs before it begins, and gives it back', async (t) => {
  const { send, budget, giveBack } = await startFull(t)
  const file = send('/v1/pets/export?format=ndjson')
  await until(() => budget.stats().waiting === 1)

  giveBack()

  assert.equal((await file).status, 200)
  await until(() => budget.stats().bytes === 0)
})

test('an export that has begun waits for memory as long as for a slow client, not for 5 s', async (t) => {
  const { origin, key, storage, budget, giveBack } = await startFull(t, { maxWaitMs: 100 })
  giveBack()
  // Two pages, of which the second one needs more memory.
  const add = (count: number, name: string) =>
    storage.imports.add(Array.from({ length: count }, () => ({ name, categoryId: 4n })))
  await add(100, 'Tom')
  for (let count = 0; count < 30; count++) await add(10, largeName)
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${origin}/v1/pets/export?format=ndjson&categoryId=4`, { headers })
  const parts = (response.body as ReadableStream<Uint8Array>).getReader()
  let length = (await parts.read()).value?.length ?? 0
  const another = budget.open('another key')
  another.force(1_000_000)
  const reading = (async () => {
    for (let part = await parts.read(); !part.done; part = await parts.read()) length += part.value.length
  })()
  await until(() => budget.stats().waiting === 1)
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal(budget.stats().waiting, 1)

  another.end()
  await reading

  assert.ok(length > 300 * largeName.length)
})

test('a large body that arrives waits for memory, and is refused before anything of it is stored', async (t) => {
  const { create, send, origin, key, budget, giveBack } = await startFull(t, { maxWaitMs: 100 })
  const { answer, socket } = await sendSlowly(t, origin, key)

  await until(() => answer().includes('}'))
  socket.end('x'.repeat(40_000))
  const small = await create({ name: 'Tom', categoryId: 3 })
  giveBack()

  assert.match(answer(), /^HTTP\/1\.1 503 .*retry-after: \d+.*"code":"unavailable"/is)
  assert.equal(small.status, 201)
  assert.equal(((await send('/v1/pets?categoryId=3')).body as unknown[]).length, 1)
  await until(() => budget.stats().bytes === 0)
})

/** The head and the beginning of a body of 60,000 bytes. */
async function sendSlowly(t: TestContext, origin: string, key: string) {
  const head = ['Host: a', `Authorization: Bearer ${key}`, 'Content-Type: application/json', 'Content-Length: 60000']
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  t.after(() => socket.destroy())
  let answer = ''
  socket.setEncoding('latin1').on('data', (text: string) => (answer += text))
  socket.write(`POST /v1/pets HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n{"name":"${'x'.repeat(20_000)}`)
  return { socket, answer: () => answer }
}

test('bodies of a key that arrive slowly are refused if another key waits for their memory', async (t) => {
  const { origin, key, makeKey, budget, giveBack } = await startFull(t, {
    lanes: [{ upToBytes: Infinity, maxBytes: 250_000 }],
    maxPatienceMs: 100,
    maxWaitMs: 20_000,
  })
  giveBack()
  const other = await makeKey({ permission: 'read' })
  const bodies = await Promise.all([1, 2, 3].map(() => sendSlowly(t, origin, key)))
  await until(() => budget.stats().bytes === 180_000)

  const page = await fetch(`${origin}/v1/pets?categoryId=1`, { headers: { authorization: `Bearer ${other.secret}` } })

  assert.equal(page.status, 200)
  await page.arrayBuffer()
  await until(() => bodies.some(({ answer }) => answer().includes('}')))
  const refused = bodies.find(({ answer }) => answer() !== '')
  assert.match(refused?.answer() ?? '', /^HTTP\/1\.1 503 .*retry-after: \d+.*"code":"unavailable"/is)
})

test('several pages whose JSON is much larger than their names are all served, one after the other', async (t) => {
  const { send, storage, budget, giveBack } = await startFull(t)
  const name = '\u0001'.repeat(30_000)
  await storage.imports.add(Array.from({ length: 5 }, () => ({ name, categoryId: 9n })))
  const pages = Array.from({ length: 3 }, () => send('/v1/pets?categoryId=9'))
  await until(() => budget.stats().waiting === 3)

  giveBack()

  for (const { status, text } of await Promise.all(pages)) {
    assert.equal(status, 200)
    assert.ok(text.length > 5 * 6 * name.length)
  }
  await until(() => budget.stats().bytes === 0)
})
