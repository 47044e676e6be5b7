import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { inspect, isDeepStrictEqual } from 'node:util'
import { rawRequest, type TestApp } from '../support/app.ts'
import { postgres } from '../support/engines.ts'
import { credentialFor, requests, startShop } from '../support/operations.ts'
import { openRawClient, type RawClient } from '../support/raw-client.ts'

/** Every operation that changes something. Those that need no body get one that has no meaning. */
const changes = Object.entries(requests).filter(([, [start]]) => !start.startsWith('GET '))

/** Where a request ends: after none of its body, in the middle, a byte before its end. */
const points: Record<string, (length: number) => number> = {
  'before its body': () => 0,
  'in the middle of its body': (length) => length >> 1,
  'a byte before the end of its body': (length) => length - 1,
}

/**
 * Ways to end a request early. `start` is sent first, `rest` when the response is there: what was refused is not done,
 * whatever arrives later. Without a `status` nobody can see a response.
 */
interface Ending {
  status?: number
  limits?: Options
  coding: 'length' | 'chunked'
  start(body: string, at: number): string
  /** Without it the client ends its side instead. */
  rest?(body: string, at: number): string
}

const lastChunk = '0\r\n\r\n'

/** An import has a time limit of its own. */
const short = { connectionLimits: { bodyTimeoutMs: 20 }, importLimits: { stallTimeoutMs: 20 } }

const endings: Record<string, Ending> = {
  'is late': {
    status: 408,
    limits: short,
    coding: 'length',
    start: (body, at) => body.slice(0, at),
    rest: (body, at) => body.slice(at),
  },
  'is late, in chunks': {
    status: 408,
    limits: short,
    coding: 'chunked',
    start: (body, at) => chunk(body.slice(0, at)),
    rest: (body, at) => chunk(body.slice(at)) + lastChunk,
  },
  'has an invalid chunk': {
    status: 400,
    coding: 'chunked',
    start: (body, at) => `${chunk(body.slice(0, at))}zz\r\n`,
    rest: (body, at) => chunk(body.slice(at)) + lastChunk,
  },
  'has too long a chunk extension': {
    status: 413,
    coding: 'chunked',
    start: (body, at) => `${chunk(body.slice(0, at))}1;${'x'.repeat(20_000)}`,
    rest: (body, at) => `\r\n${body.slice(at, at + 1)}\r\n${chunk(body.slice(at + 1))}${lastChunk}`,
  },
  'has too many trailers': {
    status: 431,
    coding: 'chunked',
    start: (body) => `${chunk(body)}0\r\nx: ${'x'.repeat(9_000)}`,
    rest: () => '\r\n\r\n',
  },
  'is ended by its client': {
    status: 400,
    coding: 'length',
    start: (body, at) => body.slice(0, at),
  },
  'is cut by its client': {
    coding: 'length',
    start: (body, at) => body.slice(0, at),
  },
}

const paths = {
  'the direct path': {},
  'the gates': { corsOrigins: ['https://shop.example'] },
}

type Change = (typeof changes)[number]
type Options = Parameters<typeof startShop>[1]

function isDeletion([, [start]]: Change): boolean {
  return start.startsWith('DELETE ')
}

for (const [path, options] of Object.entries(paths)) {
  for (const [name, ending] of Object.entries(endings)) {
    test(`by ${path}: nothing is done by a request that ${name}`, (t) => checkEveryChange(t, ending, options))
  }

  test(`by ${path}: a request that arrives in two pieces is done`, async (t) => {
    for (const [operation, [start, body = '{}', type = 'application/json']] of changes) {
      const app = await startShop(t, options)
      const before = await stateOf(app)
      const client = openRawClient(t, app)
      await client.write(headOf(app, operation, start, type, 'length', body) + body.slice(0, -1))
      await client.write(body.slice(-1))
      const { status } = await client.answer()

      assert.ok(status < 300, `${operation}: ${status}`)
      assert.notDeepEqual(await stateOf(app), before, operation)
    }
  })
}

test('on PostgreSQL nothing is done by a request that is late', (t) =>
  checkEveryChange(t, endings['is late'] as Ending, { engine: postgres }))

async function checkEveryChange(t: TestContext, ending: Ending, options: Options): Promise<void> {
  const app = await startShop(t, { ...options, ...ending.limits })
  const [deletions = [], others = []] = [isDeletion, (change: Change) => !isDeletion(change)].map((are) =>
    changes.filter(are),
  )

  async function statuses(ended: readonly Change[]): Promise<Record<string, number | undefined>> {
    const requests = ended.flatMap(([operation, [start, body = '{}', type = 'application/json']]) =>
      Object.entries(points).map(async ([point, offset]) => {
        const head = headOf(app, operation, start, type, ending.coding, body)
        const status = await endEarly(openRawClient(t, app), head, body, offset(body.length), ending)
        return [`${operation}, ended ${point}`, status] as const
      }),
    )
    return Object.fromEntries(await Promise.all(requests))
  }

  const before = await stateOf(app)
  for (const [request, status] of Object.entries(await statuses(others))) assert.equal(status, ending.status, request)
  assert.deepEqual(await stateOf(app), before)

  // The body of DELETE has no meaning: its request may be done before that has arrived, and then says so.
  const deleted = Object.values(await statuses(deletions))
  if (deleted.includes(undefined)) return
  assert.equal(isDeepStrictEqual(await stateOf(app), before), !deleted.includes(204), deleted.join())
}

/** Returns the status of the response, undefined if the client does not wait for one. */
async function endEarly(client: RawClient, head: string, body: string, at: number, ending: Ending) {
  await client.write(head + ending.start(body, at))
  if (ending.status === undefined) return void client.socket.destroy()
  if (ending.rest === undefined) client.socket.end()
  const { status } = await client.answer()
  if (ending.rest !== undefined) await client.write(ending.rest(body, at))
  await client.finish()
  return status
}

function headOf(
  { key }: TestApp,
  operation: string,
  start: string,
  type: string,
  coding: Ending['coding'],
  body: string,
): string {
  const length = coding === 'length' ? `Content-Length: ${body.length}` : 'Transfer-Encoding: chunked'
  const { authorization = `Bearer ${key}` } = credentialFor(operation)
  return rawRequest(start, ['Host: petstore', `Authorization: ${authorization}`, `Content-Type: ${type}`, length])
}

function chunk(bytes: string): string {
  return bytes === '' ? '' : `${bytes.length.toString(16)}\r\n${bytes}\r\n`
}

/** Everything that a change could change, when all changes under way are done. */
async function stateOf({ send, storage }: TestApp): Promise<string[]> {
  // A write of one's own comes after those that were under way.
  await storage.imports.add([])
  const lists = ['pets', 'store/orders', 'categories', 'keys', 'invitations', 'pets/imports', 'events?limit=100'].map(
    (list) => send(`/v1/${list}`),
  )
  const endpoints = inspect(await storage.webhooks.enabled(), { depth: null })
  const { items: tries } = await storage.deliveries.list(1n, 100)
  return [...(await Promise.all(lists)).map(({ text }) => text), endpoints, inspect(tries)]
}
