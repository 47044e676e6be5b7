import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectionsFor, deliveriesFor } from '../../../src/cli/serving/file-limit.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { freePort } from '../../support/ports.ts'
import { databaseIn, main } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const linux = { skip: process.platform === 'linux' ? false : 'only Linux tells how many files are open' }
const key = 'a-key-of-the-operators-own'
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

async function startWithin(t: TestContext, openFiles: number, verb = 'serve', settings: Record<string, string> = {}) {
  const folder = temporaryFolder(t)
  const port = await freePort()
  const child = spawn('sh', ['-c', `ulimit -n ${openFiles}; exec "$0" "$1" ${verb}`, process.execPath, main], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      PETSTORE_PORT: `${port}`,
      PETSTORE_API_KEY: key,
      PETSTORE_DATABASE_URL: databaseIn(folder),
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return { child, port, origin: `http://127.0.0.1:${port}`, exited: once(child, 'close'), stderr: () => stderr }
}

function connectMany(t: TestContext, port: number, count: number): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    t.after(() => socket.destroy())
    return socket
  })
}

// On connections of their own: an idle one may be closed at the moment it is used again.
const close = { connection: 'close' }

const isReady = (origin: string) =>
  fetch(`${origin}/readyz`, { headers: close }).then(
    ({ ok }) => ok,
    () => false,
  )

test('the launcher says that the limit is too low, not that the package is broken', linux, async (t) => {
  const launcher = join(import.meta.dirname, '../../../bin/petstore.js')
  const script = 'ulimit -n 24; exec "$0" "$1" --version'
  const child = spawn('sh', ['-c', script, process.execPath, launcher], { stdio: ['ignore', 'ignore', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))

  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])

  // A Node that needs fewer files prints its version.
  if (code === 0) return
  assert.match(
    stderr,
    /^petstore: Node cannot be started, because too many files are open \(EMFILE\): raise the limit /,
  )
})

for (const [verb, limit] of [
  ['serve', 24],
  ['serve', 32],
  ['migrate', 32],
  ['keys list', 28],
] as const) {
  test(`petstore ${verb} that may open ${limit} files says so`, linux, async (t) => {
    const { exited, stderr } = await startWithin(t, limit, verb)

    assert.deepEqual(await exited, [1, null])
    assert.equal(
      stderr(),
      `petstore: This program needs at least 40 open files, and may have ${limit}: raise the limit (ulimit -n; LimitNOFILE= of systemd).\n`,
    )
  })
}

test(
  'with more idle connections than files, requests are answered, and one log line says what to raise',
  linux,
  async (t) => {
    const { child, port, origin, exited, stderr } = await startWithin(t, 40)
    await until(() => isReady(origin))
    const idle = connectMany(t, port, 100)
    await Promise.all(idle.map((socket) => once(socket, 'connect').catch(() => undefined)))

    for (let round = 0; round < 5; round++) {
      assert.equal((await fetch(`${origin}/readyz`, { headers: close })).status, 200)
      const created = await fetch(`${origin}/v1/pets`, {
        method: 'POST',
        headers: { ...headers, ...close },
        body: '{"name":"Rex","categoryId":1}',
      })
      assert.equal(created.status, 201)
    }

    assert.equal(stderr().match(/"openFiles":40,"msg":"no more connections fit/g)?.length, 1)
    for (const socket of idle) socket.destroy()
    child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null])
  },
)

test('with a request on every connection, /readyz is answered, and others are 503', linux, async (t) => {
  const { port, origin } = await startWithin(t, 40)
  await until(() => isReady(origin))
  const ask = `GET /v1/events HTTP/1.1\r\nHost: shop.example\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const streams: Socket[] = []
  // Until one more would close none of the others.
  for (let refused = false; !refused && streams.length < 20; ) {
    const [socket] = connectMany(t, port, 1) as [Socket]
    socket.write(ask)
    const [head] = (await once(socket, 'data')) as [Buffer]
    refused = !head.toString().startsWith('HTTP/1.1 200')
    if (!refused) streams.push(socket)
    else assert.match(head.toString(), /^HTTP\/1\.1 503 /)
  }

  assert.ok(streams.length > 0 && streams.length < 20)
  assert.equal((await fetch(`${origin}/readyz`, { headers: close })).status, 200)
  assert.equal((await fetch(`${origin}/v1/pets`, { headers: { ...headers, ...close } })).status, 503)
})

test('connections leave files for everything else', () => {
  assert.deepEqual(connectionsFor({ used: 33, limit: 40 }), { maxConnections: 2, maxHealthConnections: 2 })
  assert.deepEqual(connectionsFor({ used: 33, limit: 1_024 }), { maxConnections: 732, maxHealthConnections: 8 })
  assert.deepEqual(connectionsFor({ used: 40, limit: 40 }), { maxConnections: 1, maxHealthConnections: 0 })
  assert.equal(connectionsFor({ used: 33, limit: Infinity }).maxConnections, Infinity)
})

test('deliveries take one file in eight, and those that failed before a third of them', () => {
  assert.deepEqual(deliveriesFor({ used: 40, limit: 40 }), { young: 2, failing: 1, total: 2 })
  assert.deepEqual(deliveriesFor({ used: 40, limit: 1_000 }), { young: 64, failing: 40, total: 120 })
  assert.deepEqual(deliveriesFor({ used: 40, limit: Infinity }), { young: 64, failing: 128, total: 384 })
})

test('receivers that hang do not take all files of the service', linux, async (t) => {
  const { origin, stderr } = await startWithin(t, 64, 'serve', { PETSTORE_WEBHOOKS_ALLOW_PRIVATE: 'true' })
  await until(() => isReady(origin))
  let connected = 0
  const receiver = createServer(() => connected++).listen(0, '127.0.0.1')
  t.after(() => receiver.close())
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const post = (path: string, body: unknown) =>
    fetch(`${origin}/v1${path}`, { method: 'POST', headers: { ...headers, ...close }, body: JSON.stringify(body) })
  for (let count = 0; count < 60; count++) assert.equal((await post('/webhooks', { url })).status, 201)

  assert.equal((await post('/pets', { name: 'Rex', categoryId: 1 })).status, 201)
  await until(() => connected > 0)
  await sleep(3_000)

  assert.doesNotMatch(stderr(), /EMFILE|put off/)
  assert.equal(await isReady(origin), true)
})
