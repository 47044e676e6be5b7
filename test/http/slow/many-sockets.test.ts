import assert from 'node:assert/strict'
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { openStorage } from '../../../src/storage/open.ts'
import { startApp } from '../../support/app.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { databaseIn, main } from '../../support/service.ts'

/** libuv takes 1,024 events at most from the system, and asks again at once if it got so many. */
const sockets = 1_100
/** Near the end of the first 1,024, whichever of them comes when. */
const commitAt = 1_015

// Its own thread, so that it sends while the event loop of the service stands still.
const clientCode = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { connect } = require('node:net')
  const { port, sockets, request, signals } = workerData
  const all = Array.from({ length: sockets + 1 }, () => connect(port, '127.0.0.1'))
  const late = all.pop()
  late.once('data', (bytes) => parentPort.postMessage(String(bytes)))
  Promise.all([...all, late].map((socket) => new Promise((resolve) => socket.once('connect', resolve)))).then(() => {
    parentPort.postMessage('connected')
    Atomics.wait(signals, 0, 0)
    for (const socket of all) socket.write(request)
    Atomics.store(signals, 1, 1)
    Atomics.notify(signals, 1)
    Atomics.wait(signals, 2, 0)
    late.write(request)
    Atomics.store(signals, 3, 1)
    Atomics.notify(signals, 3)
  })
  parentPort.on('message', () => all.concat(late).forEach((socket) => socket.destroy()) ?? parentPort.close())
`

test('a key revoked by another process is refused although 1,100 requests are read in one turn', async (t) => {
  const url = databaseIn(temporaryFolder(t))
  const storage = await openStorage(url)
  t.after(() => storage.close())
  const signals = new Int32Array(new SharedArrayBuffer(16))
  let counting = false
  let answers = 0
  let revoked: SpawnSyncReturns<Buffer> | undefined
  const app = await startApp(t, {
    storage,
    observer: {
      answered() {
        if (!counting || ++answers !== commitAt) return
        revoked = spawnSync(process.execPath, [main, 'keys', 'revoke', id], { env: { PETSTORE_DATABASE_URL: url } })
        raise(2)
        Atomics.wait(signals, 3, 0, 60_000)
      },
      refused: () => undefined,
      failed: () => undefined,
      streamOpened: () => undefined,
      streamEnded: () => undefined,
      unavailable: () => undefined,
    },
  })
  // The event loop stands still for as long as the command takes.
  Object.assign(app.app.server, { headersTimeout: 0, requestTimeout: 0 })
  const { id, secret } = await app.makeKey()
  const { host, port } = new URL(app.origin)
  const request = `GET /v1/pets HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${secret}\r\n\r\n`
  const client = new Worker(clientCode, { eval: true, workerData: { port: Number(port), sockets, request, signals } })
  t.after(() => client.terminate())
  await once(client, 'message')
  const headers = { authorization: `Bearer ${secret}` }
  for (let times = 0; times < 3; times++) assert.equal((await app.send('/v1/pets', { headers })).status, 200)

  function raise(signal: number): void {
    Atomics.store(signals, signal, 1)
    Atomics.notify(signals, signal)
  }
  counting = true
  const answered = once(client, 'message')
  raise(0)
  Atomics.wait(signals, 1, 0, 60_000)
  const [answer] = (await answered) as [string]
  client.postMessage('end')
  await once(client, 'exit')

  assert.equal(revoked?.status, 0, String(revoked?.stderr))
  assert.match(answer, /^HTTP\/1\.1 401 /)
})

test('1,000 clients that have ended their side get their refusals, although those wait for their turns', async (t) => {
  const app = await startApp(t)
  const port = Number(new URL(app.origin).port)
  const clients = Array.from({ length: 1_000 }, () => connect(port, '127.0.0.1'))
  await Promise.all(clients.map((client) => once(client, 'connect')))

  const answers = clients.map((client) => text(client.end('GET /v1/pets HTTP/1.1\r\nno colon\r\n\r\n')))

  const refused = (await Promise.all(answers)).filter((answer) => answer.startsWith('HTTP/1.1 400 '))
  assert.equal(refused.length, 1_000)
})
