import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { maxAllOrNothing } from '../../src/contract/import-result.ts'
import { encodePet } from '../../src/contract/pet.ts'
import type { Imports } from '../../src/inventory/imports.ts'
import { shareApp, startApp } from '../support/app.ts'
import { engines, sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { unlessStalled } from '../support/promised-time.ts'
import { until } from '../support/until.ts'
import { answerTo, ndjson, openUpload, path, rows, settledCount } from '../support/import-requests.ts'

const sharedApp = shareApp()

test('more animals than may be added all or nothing are 413, and none is added', async (t) => {
  const { send, storage } = await startApp(t)

  const answer = await send(`${path}?mode=all-or-nothing`, {
    method: 'POST',
    headers: ndjson,
    body: rows(maxAllOrNothing + 1),
  })

  assertError(answer, 'payload_too_large')
  assert.equal(await storage.pets.count({}), 0n)
})

test('an aborted all-or-nothing upload adds nothing', async (t) => {
  const app = await startApp(t, { importLimits: { maxImports: 1 } })
  const upload = openUpload(app, ndjson, '?mode=all-or-nothing')
  await new Promise((resolve) => upload.write(rows(5_000), resolve))
  upload.destroy()
  // The next import is accepted when this one has ended.
  await until(async () => (await app.send(path, { method: 'POST', headers: ndjson, body: '' })).status === 200)

  assert.equal(await app.storage.pets.count({}), 0n)
})

for (const isAnnounced of [true, false]) {
  test(`a file above the limit is 413, with ${isAnnounced ? 'Content-Length' : 'chunks'}`, async (t) => {
    const { send } = await startApp(t, { importLimits: { maxBytes: 1_000 } })
    const bytes = Buffer.from(rows(100))
    const body = isAnnounced
      ? bytes
      : new ReadableStream({ start: (controller) => (controller.enqueue(bytes), controller.close()) })

    assertError(await send(path, { method: 'POST', headers: ndjson, body, duplex: 'half' }), 'payload_too_large')
  })
}

test('a file may have 1 GiB, and no byte more', async () => {
  const { origin, key } = await sharedApp()
  /** The response to a file that begins with the wrong columns and would have this length. */
  async function responseTo(length: number) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv', 'content-length': length }
    const upload = httpRequest(origin + path, { method: 'POST', headers }).on('error', () => undefined)
    upload.write('colour\n')
    return statusAndConnection(upload)
  }

  assert.deepEqual(await responseTo(1024 ** 3), [400, 'close'])
  assert.deepEqual(await responseTo(1024 ** 3 + 1), [413, 'close'])
})

test('a row may be as large as a body, and the file larger', async (t) => {
  const { send } = await startApp(t)
  const line = `${encodePet({ id: 1n, name: 'x'.repeat(65_000), categoryId: 1n })}\n`

  const answer = await send(path, { method: 'POST', headers: ndjson, body: line.repeat(20) })

  assert.partialDeepStrictEqual(answer.body, { added: 20, rejected: 0, rejects: [] })
})

test('an upload that goes on slowly is not timed out, one that stalls is 408', async (t) => {
  const importLimits = { stallTimeoutMs: 300, minProgressBytes: 10 }
  const app = await startApp(t, { importLimits, connectionLimits: { bodyTimeoutMs: 150 } })
  const upload = openUpload(app, ndjson)
  const answered = answerTo(upload)

  for (let row = 0; row < 4; row++) {
    upload.write(rows(1))
    await new Promise((resolve) => setTimeout(resolve, 100))
  }

  const { status, body } = await answered
  assert.equal(status, 408)
  assert.match(
    body,
    /"code":"request_timeout","message":"The file arrives too slowly: at least 10 bytes are expected every 0.3 s\. No animals were added\."/,
  )
})

test('an upload that sends a byte now and then is 408, and lets the next import begin', async (t) => {
  const app = await startApp(t, { importLimits: { maxImports: 1, stallTimeoutMs: 300, minProgressBytes: 1_000 } })
  const upload = openUpload(app, ndjson)
  const answered = answerTo(upload)
  const trickle = setInterval(() => upload.write(' '), 20)
  t.after(() => clearInterval(trickle))

  const { status } = await answered

  assert.equal(status, 408)
  assert.equal((await app.send(path, { method: 'POST', headers: ndjson, body: rows(1) })).status, 200)
})

test('the time for adding a batch is not counted as slow sending', (t) =>
  unlessStalled(100, async () => {
    const storage = await sqlite.open(t)
    const add: typeof storage.imports.add = async (...batch) => {
      await new Promise((resolve) => setTimeout(resolve, 400))
      return storage.imports.add(...batch)
    }
    const app = await startApp(t, {
      storage: { ...storage, imports: { ...storage.imports, add } },
      importLimits: { stallTimeoutMs: 300, minProgressBytes: 1_000_000 },
    })

    const { body } = await app.send(path, { method: 'POST', headers: ndjson, body: rows(5_000) })

    assert.partialDeepStrictEqual(body, { added: 5_000, rejected: 0, rejects: [] })
  }))

test('more imports than the maximum are 503 with Retry-After', async (t) => {
  const app = await startApp(t, { importLimits: { maxImports: 1 } })
  const upload = openUpload(app, ndjson)
  upload.write(rows(3_000))
  await until(async () => (await app.storage.pets.count({})) > 0n)

  const answer = await app.send(path, { method: 'POST', headers: ndjson, body: rows(1) })

  assertError(answer, 'unavailable')
  assert.equal(answer.headers.get('retry-after'), '10')
  const refused = openUpload(app, ndjson)
  refused.write(rows(1))
  assert.deepEqual(await statusAndConnection(refused), [503, 'close'], 'its client may still be sending')
  upload.end()
  assert.equal((await answerTo(upload)).status, 200)
})

test('a service that stops ends an import, and says how many animals were added', async (t) => {
  const app = await startApp(t, { engine: sqlite })
  const upload = openUpload(app, { ...ndjson, 'idempotency-key': 'k' })
  const answered = answerTo(upload)
  upload.write(rows(3_000))
  await until(async () => (await app.storage.pets.count({})) > 0n)
  const added = await settledCount(app)

  const closed = app.app.drain()

  const { status, body } = await answered
  assert.equal(status, 503)
  assert.ok(
    body.includes(`The service is stopping. ${added} animals were added. Send the whole file with the same`),
    body,
  )
  assert.equal(await closed, 0)
})

for (const engine of engines) {
  test(`${engine.name}: an import ends with its key, and says how many animals were added`, async (t) => {
    const app = await startApp(t, { engine })
    const { id, secret } = await app.makeKey()
    const upload = openUpload(app, { ...ndjson, authorization: `Bearer ${secret}` })
    const answered = answerTo(upload)
    upload.write(rows(3_000))
    await until(async () => (await app.storage.pets.count({})) > 0n)
    const added = await settledCount(app)

    await app.storage.keys.revoke(id, Date.now())
    upload.end(rows(3_000))

    const { status, body, challenge } = await answered
    assert.equal(status, 401)
    assert.ok(body.includes(`${added} animals were added`), body)
    assert.match(challenge, /^Bearer /)
    assert.equal(await settledCount(app), added)
  })
}

test('while a batch is being added, nothing more of the file is read', async (t) => {
  const gate = Promise.withResolvers<void>()
  const app = await startApp(t)
  const { imports } = app.storage
  const add = imports.add.bind(imports)
  ;(imports as { add: Imports['add'] }).add = async (...batch) => {
    await gate.promise
    return add(...batch)
  }
  const upload = openUpload(app, ndjson)
  const piece = rows(20_000)
  let sent = 0

  // The buffers of the sockets take a few megabytes, then no piece goes any more.
  const isFull = async () => {
    const gone = new Promise<true>((resolve) => upload.write(piece, () => resolve(true)))
    const isGone = await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 500, false))])
    if (isGone === true) sent++
    return isGone === false
  }
  while (!(await isFull())) assert.ok(sent < 200, 'the whole file was taken into memory')

  gate.resolve()
  upload.end()
  assert.equal((await answerTo(upload)).status, 200)
})

async function statusAndConnection(upload: ReturnType<typeof openUpload>) {
  const [response] = (await once(upload, 'response')) as [IncomingMessage]
  upload.destroy()
  return [response.statusCode, response.headers.connection]
}
