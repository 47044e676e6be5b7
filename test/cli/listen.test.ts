import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { Webhooks } from '../../client/src/webhooks.ts'
import { type FeedEvent, followFeed } from '../../src/cli/listen/feed.ts'
import { share, startApp } from '../support/app.ts'
import { faultyProxy } from '../support/faulty-proxy.ts'
import { freePort } from '../support/ports.ts'
import { startSandbox } from '../support/sandbox.ts'
import { run, startCommand } from '../support/service.ts'
import { until } from '../support/until.ts'

const sharedApp = share((t) => startApp(t))
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

interface Received {
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A receiver of webhooks. It responds with the statuses in turn, then with 204. */
async function startReceiver(t: TestContext, { port = 0, statuses = [] as number[] } = {}) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await buffer(request) })
    response.writeHead(statuses.shift() ?? 204).end()
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

/** Starts the verb and waits until it follows the events. */
async function startListening(t: TestContext, args: string[], env: Record<string, string> = {}) {
  const { child, closed, output } = startCommand(t, ['listen', ...args], { env })
  await Promise.race([until(() => output.stdout.includes('Ctrl+C ends it.\n')), closed])
  assert.match(output.stdout, /Ctrl\+C ends it\.\n/, output.stderr)
  return {
    output,
    lines: () => output.stdout.split('\n').filter((line) => /^\d\d:\d\d:\d\d /.test(line)),
    async stop(signal: NodeJS.Signals = 'SIGINT') {
      child.kill(signal)
      return (await closed)[0]
    },
  }
}

test('petstore listen forwards every event in order, signed, with a line each, and ends with a sentence', async (t) => {
  const { origin, key, create, sendJson } = await startApp(t)
  const { received, url } = await startReceiver(t)
  const listening = await startListening(t, ['--url', origin, '--forward-to', url], { PETSTORE_API_KEY: key })
  const name = 'Żółw\u2028\u2029\u0085\r🐢'

  await create({ name, categoryId: 1 })
  await sendJson('POST /v1/pets', '{"name":"Max","categoryId":9007199254740993,"status":"available"}')
  await sendJson('POST /v1/store/orders', { petId: 2 })
  await until(() => listening.lines().length === 4)

  const shown = listening.lines().map((line) => line.split(/ {2,}/))
  assert.deepEqual(
    shown.map(([, type, id, status]) => [type, id?.replace(/-\w{8}$/, ''), status]),
    [
      ['petstore.pet.created', '1', '204'],
      ['petstore.pet.created', '2', '204'],
      ['petstore.pet.updated', '3', '204'],
      ['petstore.order.placed', '4', '204'],
    ],
  )
  for (const parts of shown) assert.match(parts[4] ?? '', /^\d+ ms$/)
  const feed = (await feedOf(origin, key)).slice(1, -1)
  assert.equal(received.map(({ body }) => String(body)).join(','), feed)
  const made = /whsec_\S+/.exec(listening.output.stdout)?.[0] ?? ''
  assert.equal(Buffer.from(made.slice(6), 'base64').length, 32)
  assert.equal(listening.output.stdout.split(made).length, 2)
  for (const { headers, body } of received) {
    new Webhook(made).verify(body, headers as Record<string, string>)
    await Webhooks.verify(body, headers, made)
  }
  assert.deepEqual(
    received.map(({ headers }) => [headers['webhook-id'], headers['content-type']]),
    (JSON.parse(`[${feed}]`) as { id: string }[]).map(({ id }) => [id, 'application/json']),
  )
  const event = await Webhooks.verify(received[1]?.body ?? '', received[1]?.headers ?? {}, made)
  assert.ok(event.type === 'petstore.pet.created' && event.data.categoryId === 9007199254740993n)

  assert.equal(await listening.stop(), 0)
  assert.match(listening.output.stdout, /\nStopped\. 4 events were forwarded\.\n$/)
  assert.equal(listening.output.stderr, '')
  assert.ok(!JSON.stringify(listening.output).includes(key))
})

/** The feed, as it is sent. */
async function feedOf(origin: string, key: string): Promise<string> {
  const response = await fetch(`${origin}/v1/events?after=0`, { headers: { authorization: `Bearer ${key}` } })
  return response.text()
}

test('petstore listen goes on if the receiver is dead or refuses, says so once, and sends nothing twice', async (t) => {
  const { origin, key, create, sendJson } = await startApp(t)
  const port = await freePort()
  const args = ['--url', `${origin}/v1/`, '--key', key, '--secret', secret, '--types', 'petstore.pet.created']
  args.push('--format', 'cloudevents')
  const listening = await startListening(t, [...args, '--forward-to', `http://localhost:${port}/`])

  await create({ name: 'Rex', categoryId: 1 })
  await create({ name: 'Max', categoryId: 1, status: 'available' })
  await sendJson('POST /v1/store/orders', { petId: 2 })
  await until(() => listening.lines().length === 2)
  const { received } = await startReceiver(t, { port, statuses: [204, 500] })
  for (const name of ['Tom', 'Kit', 'Pip']) await create({ name, categoryId: 1 })
  await until(() => listening.lines().length === 5)

  const statuses = listening.lines().map((line) => line.split(/ {2,}/)[3])
  assert.match(statuses[0] ?? '', /ECONNREFUSED/)
  assert.deepEqual(statuses.slice(2), ['204', '500', '204'])
  assert.deepEqual(
    received.map(({ headers }) => headers['webhook-id']?.slice(0, 2)),
    ['5-', '6-', '7-'],
  )
  for (const { headers, body } of received) {
    assert.equal(headers['content-type'], 'application/cloudevents+json')
    new Webhook(secret).verify(body, headers as Record<string, string>)
  }
  assert.ok(!listening.output.stdout.includes(secret))
  assert.equal(await listening.stop('SIGTERM'), 0)
  assert.match(
    listening.output.stdout,
    /\nStopped\. 5 events were forwarded, of which the receiver did not take 3\.\n$/,
  )
  const { stderr } = listening.output
  assert.equal(stderr.match(/The receiver does not take events\. The next ones are sent all the same/g)?.length, 2)
  assert.ok(!JSON.stringify(listening.output).includes(key))
})

interface Followed {
  events: FeedEvent[]
  sentences: string[]
  failure: Promise<unknown>
  stop(): void
}

/** Follows a feed in this process, and waits until it is connected. */
async function follow(t: TestContext, url: string, key: string): Promise<Followed> {
  const stopping = new AbortController()
  t.after(() => stopping.abort())
  const { signal } = stopping
  const events: FeedEvent[] = []
  const sentences: string[] = []
  const notify = (sentence: string) => void sentences.push(sentence)
  const { promise: standing, resolve: connected } = Promise.withResolvers<void>()
  const following = (async () => {
    for await (const event of followFeed({ url: new URL(url), key, signal, connected, notify })) events.push(event)
  })()
  const failure = following.catch((error: unknown) => error)
  await Promise.race([standing, following])
  return { events, sentences, failure, stop: () => stopping.abort() }
}

const idsOf = (events: readonly FeedEvent[]) => events.map(({ number }) => String(number))

test('after a broken connection listening resumes after the last event, without gap or repeat', async (t) => {
  const { origin, key, create } = await startApp(t)
  const proxy = await faultyProxy(t, origin)
  const { events, sentences, failure, stop } = await follow(t, `${proxy.origin}/v1`, key)

  await create({ name: 'Rex', categoryId: 1 })
  await until(() => events.length === 1)
  proxy.next({ status: 502, body: '<html>' }, 'reset')
  proxy.cut()
  await create({ name: 'Max', categoryId: 1 })
  await create({ name: 'Tom', categoryId: 1 })
  await until(() => events.length === 3)

  assert.deepEqual(idsOf(events), ['1', '2', '3'])
  assert.match(sentences[0] ?? '', /^The connection to the service broke: .+\. Connecting again\.$/)
  assert.deepEqual(sentences.slice(1), ['Connected again.'])
  stop()
  assert.equal(await failure, undefined)
})

test('a connection that breaks before the first event misses none', async (t) => {
  const { origin, key, create } = await startApp(t)
  const proxy = await faultyProxy(t, origin)
  const { events } = await follow(t, `${proxy.origin}/v1`, key)

  proxy.cut()
  await create({ name: 'Rex', categoryId: 1 })
  await until(() => events.length === 1)

  assert.deepEqual(idsOf(events), ['1'])
})

test('a shop that was replaced is followed from now on, and a sentence says so; repeated events are left out', async (t) => {
  const { origin, send } = await startSandbox(t)
  const { events, sentences } = await follow(t, `${origin}/v1`, 'sandbox_a')

  await send('a', 'PUT /sandbox/faults', [{ fault: 'repeat-event' }])
  for (const name of ['Rex', 'Max']) await send('a', 'POST /pets', { name, categoryId: 1 })
  await until(() => events.length === 2)
  await send('a', 'POST /sandbox/reset', {})
  await until(() => sentences.at(-1) === 'Connected again.')
  await send('a', 'POST /pets', { name: 'Tom', categoryId: 1 })
  await until(() => events.length === 3)

  assert.deepEqual(idsOf(events), ['1', '2', '1'])
  assert.match(sentences.at(-2) ?? '', / Events from now on follow\.$/)
})

test('a key that ends while listening ends it with what the service says', async (t) => {
  const { origin, makeKey, storage } = await startApp(t)
  const { id, secret: key } = await makeKey({ permission: 'read' })
  const { failure } = await follow(t, `${origin}/v1`, key)

  await storage.keys.revoke(id, Date.now())

  assert.match(String(await failure), /^Failure: The service refuses: .*key/)
})

test('petstore listen fails with a sentence if there is no service, or if it refuses', async (t) => {
  const { origin, key } = await sharedApp()
  const nowhere = `http://127.0.0.1:${await freePort()}`
  const other = await startReceiver(t)

  for (const [url, apiKey, expected] of [
    [nowhere, key, /^petstore: The service at http:\/\/127\.0\.0\.1:\d+ does not answer: .*ECONNREFUSED.*\.\n$/],
    [origin, 'pet_live_wrong', /^petstore: The service refuses: .*\n$/],
    [`${origin}/v2`, key, /^petstore: The service refuses: .*\n$/],
    [other.url, key, /^petstore: --url is not the base address of a service: .*\n$/],
  ] as const) {
    const args = ['listen', '--url', url, '--key', apiKey, '--forward-to', 'http://127.0.0.1:9']
    const { code, stdout, stderr } = await run(t, args)
    assert.match(stderr, expected)
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.ok(!stderr.includes(apiKey))
  }
})

test('petstore listen ends when nobody reads its lines any more', async (t) => {
  const { origin, key, create } = await startApp(t)
  const { received, url } = await startReceiver(t)
  const { child, closed, output } = startCommand(t, ['listen', '--url', origin, '--key', key, '--forward-to', url])
  await until(() => output.stdout.includes('Ctrl+C ends it.\n'))
  child.stdout.destroy()

  // The pipe may still take the first line.
  await until(async () => {
    await create({ name: 'Rex', categoryId: 1 })
    return child.exitCode !== null
  })

  assert.deepEqual([(await closed)[0], output.stderr], [0, ''])
  assert.ok(received.length > 0)
})

test('petstore listen refuses an event that never ends, and says so', async (t) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\n\ndata: ')
    const part = 'x'.repeat(256 * 1024)
    const write = () => void response.write(part, (error) => error ?? write())
    write()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo

  const following = followFeed({
    url: new URL(`http://127.0.0.1:${port}/v1`),
    key: 'k',
    signal: new AbortController().signal,
    connected: () => undefined,
    notify: () => undefined,
  })

  await assert.rejects(following.next(), /^\w+: The service has sent an event of more than 4 MiB\.$/)
})

test('a wrong argument of petstore listen is one sentence and exit code 2', async (t) => {
  const to = ['--forward-to', 'http://127.0.0.1:9']
  for (const [args, expected] of [
    [['--key', 'k'], /--forward-to/],
    [['--key', 'k', '--forward-to', 'localhost:3000'], /^petstore: --forward-to must be a valid URL/],
    [['--key', 'k', '--forward-to', 'http://a:b@localhost'], /^petstore: --forward-to must have no user name/],
    [to, /^petstore: an API key is needed, in PETSTORE_API_KEY or with --key\.\n$/],
    [['--key', 'two words', ...to], /^petstore: an API key is needed/],
    [['--key', 'k', '--url', 'ftp://shop', ...to], /^petstore: --url must be the base address/],
    [['--key', 'k', '--url', 'http://a:b@shop', ...to], /^petstore: --url must be the base address/],
    [
      ['--key', 'k', '--types', 'petstore.pet.sold', ...to],
      /^petstore: --types must be some of .*"petstore\.pet\.sold"/,
    ],
    [['--key', 'k', '--types', '', ...to], /^petstore: --types must be some of /],
    [['--key', 'k', '--secret', 'whsec_short', ...to], /^petstore: --secret must be whsec_ and the base64 of 24 to 64/],
    [['--key', 'k', '--secret', secret.slice(6), ...to], /^petstore: --secret must be whsec_/],
    [['--key', 'k', '--format', 'toString', ...to], /^petstore: --format must be json or cloudevents, got "toString"/],
    [['--key', 'k', '--loud', ...to], /--loud/],
  ] as const) {
    const { code, stdout, stderr } = await run(t, ['listen', ...args])
    assert.match(stderr, expected)
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, args.join(' '))
  }
})
