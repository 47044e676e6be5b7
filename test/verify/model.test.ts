import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { exitCodeOf, type RunOptions } from '../../verify/src/run.ts'
import { bareKey, BareShop, directTransport, error, type Handler } from './bare-shop.ts'
import { idsOf, judge } from './judge.ts'

const url = new URL('http://shop.test/v1')

function judgeHandler(handler: Handler, options: Partial<RunOptions> = {}) {
  return judge(url, bareKey, { transport: directTransport(handler), ...options })
}

test('a key that is refused by every operation is one sentence and exit code 2', async () => {
  const shop = new BareShop()
  const transport = directTransport((request) => shop.handle(request))
  const told: string[] = []

  const report = await judge(url, 'another-key', { transport, progress: ({ id }) => told.push(id) })

  assert.equal(report.unreachable, 'The shop refuses the key: every operation is 401.')
  assert.equal(exitCodeOf(report), 2)
  assert.deepEqual(idsOf(report, 'failed'), [])
  assert.deepEqual(told, [], 'a line for each rule would hide the sentence')
})

test('a key that only lists refuse is a broken rule', async () => {
  const shop = new BareShop()

  const report = await judgeHandler((request) =>
    request.path === '/v1/pets' && request.method === 'GET' ? error(401, 'no', 'No.') : shop.handle(request),
  )

  assert.ok(idsOf(report, 'failed').includes('C-5-12'))
  assert.equal(exitCodeOf(report), 1)
})

test('what only the clean-up shows fails the run, with both responses and a curl line for each', async () => {
  const shop = new BareShop()
  let isOver = false

  const report = await judgeHandler(
    (request) => (isOver && request.method === 'GET' ? error(404, 'none', 'Lost.') : shop.handle(request)),
    { only: 'C-4.2-1', progress: () => void (isOver = true) },
  )

  const lost = report.results.find(({ id }) => id === 'C-4.3-1')
  assert.equal(exitCodeOf(report), 1)
  assert.match(lost?.sent ?? '', /^curl -i .*\/v1\/pets\/1'$/)
  assert.match(lost?.came ?? '', /^404/)
  assert.match(lost?.earlierSent ?? '', /^curl -i -X POST .*\/v1\/pets'$/)
  assert.match(lost?.earlierCame ?? '', /^201.*"id":1,/)
})

test('with --require-all a rule that could not be judged is a failure', async () => {
  const shop = new BareShop()
  for (let count = 0; count < 25; count++) shop.add('Rex', '1', 'sold')

  const report = await judgeHandler((request) => shop.handle(request), { readOnly: true })

  assert.deepEqual(idsOf(report, 'failed'), [])
  assert.equal(exitCodeOf(report), 0)
  assert.equal(exitCodeOf({ ...report, requireAll: true }), 1)
})

test('with --bail the first broken rule ends the run, and what was added is removed', async () => {
  const shop = new BareShop()
  const handler: Handler = (request) => {
    const response = shop.handle(request)
    return request.method === 'GET' ? { ...response, type: 'text/plain' } : response
  }

  const [whole, ended] = [await judgeHandler(handler), await judgeHandler(handler, { bail: true })]

  assert.equal(exitCodeOf(ended), 1)
  assert.ok(ended.requests < whole.requests / 10)
  assert.equal(ended.results.length, whole.results.length)
  assert.equal(ended.results.at(-1)?.reason, 'another rule is broken, and --bail ends the run')
})

test('a limit is not judged by a shop that cannot hold more animals than it', async () => {
  const shop = new BareShop()

  const report = await judgeHandler(
    (request) =>
      request.method === 'POST' && shop.pets.length >= 18 && request.authorization === `Bearer ${bareKey}`
        ? { ...error(503, 'full', 'The shop is full.') }
        : shop.handle(request),
    { only: 'C-4.1-5' },
  )

  assert.equal(report.results.find(({ id }) => id === 'C-4.1-5')?.outcome, 'skipped')
  assert.match(report.results[0]?.reason ?? '', /does not hold enough animals/)
})

test('an animal has its time to be seen: lists that were sent within it are not judged', async () => {
  const shop = new BareShop()
  const before = performance.now()

  const report = await judgeHandler(
    (request) => {
      const response = shop.handle(request)
      const isList = request.method === 'GET' && request.path === '/v1/pets' && response.status === 200
      return isList && performance.now() - before < 200 ? { ...response, body: '[]' } : response
    },
    { settleMs: 250, only: 'C-4.1-10' },
  )

  assert.deepEqual(idsOf(report, 'failed'), [])
})

test('ids that are given twice under concurrency are found', async () => {
  const shop = new BareShop()
  const direct = directTransport((request) => shop.handle(request))

  const report = await judge(url, bareKey, {
    only: 'C-4.1-5',
    async transport(request, limits) {
      if (request.method !== 'POST') return direct(request, limits)
      const id = shop.lastId
      await turn()
      shop.lastId = id
      return direct(request, limits)
    },
  })

  assert.ok(idsOf(report, 'failed').includes('C-2-4'))
})

test('a shop that takes the body of a refused create for the next request is found', async (t) => {
  const shop = new BareShop()
  const server = createServer((socket) => {
    let unread = ''
    socket.on('error', () => undefined)
    socket.setEncoding('utf8').on('data', (text: string) => {
      unread += text
      for (let end = unread.indexOf('\r\n\r\n'); end !== -1; end = unread.indexOf('\r\n\r\n')) {
        const head = unread.slice(0, end)
        const isRight = `${head}\r\n`.includes(`Bearer ${bareKey}\r\n`)
        const length = isRight ? Number(/Content-Length: (\d+)/.exec(head)?.[1] ?? 0) : 0
        if (unread.length < end + 4 + length) return
        const body = unread.slice(end + 4, end + 4 + length)
        unread = unread.slice(end + 4 + length)
        socket.write(answer(shop, head, isRight, body))
        if (head.includes('Connection: close')) return void socket.end()
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo

  const report = await judge(new URL(`http://127.0.0.1:${port}/v1`), bareKey, { only: 'C-1-2', timeoutMs: 500 })

  assert.equal(report.results[0]?.outcome, 'failed')
  assert.match(report.results[0]?.came ?? '', /^404/)
})

function answer(shop: BareShop, head: string, isRight: boolean, body: string): string {
  const [, method = '', target = '/'] = /^(\S+) (\S+)/.exec(head) ?? []
  const { pathname, searchParams } = new URL(target, url)
  const authorization = isRight ? `Bearer ${bareKey}` : undefined
  const response = shop.handle({ method, path: pathname, query: searchParams, authorization, body })
  return `HTTP/1.1 ${response.status} x\r\nContent-Type: ${response.type}\r\nContent-Length: ${Buffer.byteLength(response.body)}\r\n\r\n${response.body}`
}
