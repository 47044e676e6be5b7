import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { knownOperations } from '../../verify/src/checks/full/known-operations.ts'
import { send } from '../../verify/src/http/send.ts'
import { share, startApp, type TestApp } from '../support/app.ts'
import { idsOf, judge } from './judge.ts'
import { assertNothingLeft } from './leftovers.ts'

const sharedApp = share((t) => startApp(t))

function judgeFull({ origin, key }: TestApp, options: Parameters<typeof judge>[2] = {}) {
  return judge(new URL(`${origin}/v1`), key, { level: 'full', ...options })
}

test('a run that is interrupted in the middle of a check leaves nothing, wherever that is', async () => {
  const app = await sharedApp()
  for (const only of [
    'F-orders-4',
    'F-orders-6',
    'F-keys-5',
    'F-categories-6',
    'F-files-4',
    'F-files-9',
    'F-etags-8',
    'F-invitations-2',
    'F-webhooks-2',
    'F-bulk-2',
  ])
    for (const last of [1, 2, 3, 4, 5]) {
      const interruption = new AbortController()
      let changes = 0
      const transport: typeof send = async (request, limits) => {
        const response = await send(request, limits)
        if (request.method !== 'GET' && ++changes === last) interruption.abort()
        return response
      }
      await judgeFull(app, { only, transport, signal: interruption.signal })
    }

  await assertNothingLeft(app)
})

test('the check of the document knows every operation, and finds each that the document lacks', async () => {
  const app = await sharedApp()
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, object> }
  const names = ['get', 'post', 'put', 'patch', 'delete']
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    names.filter((name) => name in item).map((name) => `${name.toUpperCase()} ${path}`),
  )
  const known = Object.entries(knownOperations).flatMap(([path, methods]) => methods.map((one) => `${one} ${path}`))

  assert.deepEqual(known, operations)
  for (const lacking of operations) {
    const documented = operations.filter((one) => one !== lacking)
    const report = await judgeFull(app, { only: 'F-document-1', transport: withDocumentOf(documented) })
    assert.deepEqual(idsOf(report, 'failed'), ['F-document-1'], lacking)
  }
})

/** The service, but for its document, which has these operations and nothing about them. */
function withDocumentOf(operations: readonly string[]): typeof send {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const [method = '', path = ''] = operation.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: {} }
  }
  const document = Buffer.from(JSON.stringify({ openapi: '3.1.0', paths }))
  return async (request, limits) =>
    request.url.pathname.endsWith('/openapi.json')
      ? { status: 200, headers: [['content-type', 'application/json']], body: document }
      : send(request, limits)
}

test('others may get the id of a category that was removed', async (t) => {
  const app = await startApp(t)
  let given: unknown
  const transport: typeof send = async (request, limits) => {
    const response = await send(request, limits)
    const id = request.method === 'DELETE' && /\/categories\/(\d+)$/.exec(request.url.pathname)?.[1]
    if (!id || response.status !== 204) return response
    const { body } = await app.sendJson('POST /v1/categories', { name: 'Birds' })
    given = { wanted: Number(id), ...(body as object) }
    return response
  }

  const report = await judgeFull(app, { only: 'F-categories-6', transport })

  const { wanted } = given as { wanted: number }
  assert.deepEqual(given, { wanted, id: wanted, name: 'Birds' })
  assert.deepEqual(idsOf(report, 'passed'), ['F-categories-6'])
})

test('a shop with more webhooks and invitations than a page has fails nothing, and keeps none of the run', async (t) => {
  const app = await startApp(t)
  for (let count = 0; count < 101; count++) {
    await app.sendJson('POST /v1/webhooks', { url: 'https://shop.example.com/hook' })
    await app.sendJson('POST /v1/invitations', { name: 'Ben', permission: 'read' })
  }

  for (const only of ['F-webhooks-1', 'F-invitations-1'])
    assert.deepEqual(idsOf(await judgeFull(app, { only }), 'passed'), [only])

  await assertNothingLeft(app)
})

test('what a lost response has made is removed, closed or revoked', async () => {
  const app = await sharedApp()
  for (const only of ['F-orders-1', 'F-keys-1', 'F-categories-1', 'F-files-2', 'F-invitations-2', 'F-webhooks-1']) {
    const transport: typeof send = async (request, limits) => {
      const response = await send(request, limits)
      const isLost = request.method === 'POST' && !/\/pets$|revoke$/.test(request.url.pathname)
      return isLost ? { status: 500, headers: [], body: Buffer.alloc(0) } : response
    }
    assert.deepEqual(idsOf(await judgeFull(app, { only, transport }), 'failed'), [only])
  }

  await assertNothingLeft(app)
})

test('a key that may only read fails nothing: what writes is skipped with the reason', async () => {
  const app = await sharedApp()
  const { secret } = await app.makeKey({ permission: 'read' })

  const report = await judgeFull({ ...app, key: secret })

  assert.deepEqual(
    report.results.filter(({ outcome }) => outcome === 'failed'),
    [],
  )
  assert.match(report.results.find(({ id }) => id === 'F-orders-1')?.reason ?? '', /the key may not do this/)
  assert.ok(idsOf(report, 'passed').includes('F-filters-4'))
})

test('--read-only at full changes nothing', async () => {
  const app = await sharedApp()
  const methods = new Set<string>()
  const transport: typeof send = (request, limits) => {
    methods.add(request.method)
    return send(request, limits)
  }

  const report = await judgeFull(app, { readOnly: true, transport })

  assert.deepEqual(idsOf(report, 'failed'), [])
  assert.deepEqual([...methods].toSorted(), ['GET', 'HEAD', 'OPTIONS', 'PROPFIND'])
})

test('the secrets of new keys are in no finding', async () => {
  const app = await sharedApp()
  const transport: typeof send = async (request, limits) => {
    const response = await send(request, limits)
    return { ...response, status: response.status === 201 ? 202 : response.status }
  }

  const report = await judgeFull(app, { transport, only: 'F-keys-1' })

  assert.match(report.results[0]?.came ?? '', /"key":"\$NEW_KEY"/)
  await assertNothingLeft(app)
})

for (const [name, chunk] of Object.entries({
  'sends comments': ': x\n\n',
  'sends events of others': 'id: 1-aaaaaaaa\ndata: {"subject":"pets/0"}\n\n',
  'never ends a line': 'data: x',
})) {
  test(`a stream that ${name} without end is a finding`, async (t) => {
    const url = await serveStream(t, chunk)

    const report = await judge(url, 'key', { level: 'full', only: 'F-events-8', timeoutMs: 5_000 })

    assert.equal(report.results[0]?.outcome, 'failed')
    assert.match(report.results[0]?.came ?? '', /more than 1048576 bytes|within 5000 ms/)
  })
}

/** A shop that says yes to everything, with an event stream that repeats a text. */
async function serveStream(t: TestContext, text: string): Promise<URL> {
  const pet = '{"id":1,"name":"Rex","categoryId":1,"status":"sold"}'
  const server = createServer((request, response) => {
    request.resume()
    if (request.headers.accept === 'text/event-stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const write = () => {
        while (!response.destroyed && response.write(text.repeat(1000)));
      }
      response.on('drain', write)
      return write()
    }
    const isList = request.method === 'GET'
    const headers = { 'content-type': 'application/json', 'event-position': '1-abcdefgh' }
    response.writeHead(request.method === 'POST' ? 201 : 200, headers).end(isList ? '[]' : pet)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
}
