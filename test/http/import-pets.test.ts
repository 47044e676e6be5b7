import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { maxAllOrNothing } from '../../src/contract/import-result.ts'
import { encodePet } from '../../src/contract/pet.ts'
import type { Imports } from '../../src/inventory/imports.ts'
import { shareApp, startApp, type TestApp } from '../support/app.ts'
import { engines, sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { unlessStalled } from '../support/promised-time.ts'
import { until } from '../support/until.ts'

const sharedApp = shareApp()
const path = '/v1/pets/import'
const csv = { 'content-type': 'text/csv' }
const ndjson = { 'content-type': 'application/x-ndjson' }

for (const engine of engines) {
  test(`${engine.name}: a CSV file is added in order, and invalid rows are reported and skipped`, async (t) => {
    const { send, storage } = await startApp(t, { engine })
    const body =
      '\ufeffid,status,name,categoryId\r\n9,available,Rex,1\r\n,,"Tom, the ""cat""",-7\r\n,,,1\r\n,gone,Mia,x\r\n'

    const answer = await send(path, { method: 'POST', headers: csv, body })

    assert.equal(answer.status, 200)
    const { added, rejected, rejects } = answer.body as Result
    assert.deepEqual([added, rejected, rejects.map(({ line }) => line)], [2, 2, [4, 5]])
    assert.match(rejects[0]?.message ?? '', /^name must be /)
    assert.match(rejects[1]?.message ?? '', /^categoryId must be .* status must be /)
    assert.deepEqual((await storage.pets.list({}, 10, 0n)).items, [
      { id: 1n, name: 'Rex', categoryId: 1n, status: 'available' },
      { id: 2n, name: 'Tom, the "cat"', categoryId: -7n },
    ])
  })

  test(`${engine.name}: an import of many batches keeps the order, and its events name the key and the request`, async (t) => {
    const { send, storage } = await startApp(t, { engine })
    const count = 5_000
    const headers = { ...ndjson, 'x-request-id': 'the-import' }

    const answer = await send(path, { method: 'POST', headers, body: rows(count) })

    assert.deepEqual(answer.body, { added: count, rejected: 0, rejects: [] })
    assert.equal(await storage.pets.count({}), BigInt(count))
    assert.equal((await storage.pets.find(4_321n))?.name, 'Pet 4321')
    const { items } = await storage.events.list(1, 4_999n)
    assert.match(items[0]?.author ?? '', /"the-import"/)
  })

  test(`${engine.name}: a retry with the same Idempotency-Key and file replays the result`, async (t) => {
    const { send, storage } = await startApp(t, { engine })
    const init = { method: 'POST', headers: { ...ndjson, 'idempotency-key': 'k' }, body: `${rows(3)}{}\n` }

    const first = await send(path, init)
    const second = await send(path, init)

    assert.equal(first.headers.get('idempotent-replayed'), null)
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    assert.equal(second.text, first.text)
    assert.equal(await storage.pets.count({}), 3n)
  })

  test(`${engine.name}: a retry after a broken upload adds the rows that are missing, each once`, async (t) => {
    const app = await startApp(t, { engine })
    const file = rows(4_000) + '{"name":""}\n' + rows(1_000)
    const headers = { ...ndjson, 'idempotency-key': 'k' }
    const upload = openUpload(app, headers)
    upload.write(file.slice(0, Math.floor(file.length * 0.7)))
    await until(async () => (await app.storage.pets.count({})) > 0n)
    upload.destroy()
    const added = await settledCount(app)
    assert.ok(added > 0n && added < 5_000n)

    let answer = await app.send(path, { method: 'POST', headers, body: file })
    await until(async () => {
      if (answer.status === 409) answer = await app.send(path, { method: 'POST', headers, body: file })
      return answer.status !== 409
    })

    assert.equal(answer.status, 200, answer.text)
    assert.equal((answer.body as Result).added, 5_000)
    assert.equal((answer.body as Result).rejects[0]?.line, 4_001)
    const names = await allNames(app)
    assert.deepEqual(names, [...numbered(4_000), ...numbered(1_000)])
  })

  test(`${engine.name}: all-or-nothing adds all rows, or none if one is rejected`, async (t) => {
    const { send, storage } = await startApp(t, { engine })
    const post = (body: string) => send(`${path}?mode=all-or-nothing`, { method: 'POST', headers: ndjson, body })

    const refused = await post(`${rows(3_000)}{}\n${rows(1)}`)
    assert.equal((refused.body as Result).added, 0)
    assert.equal((refused.body as Result).rejected, 1)
    assert.equal(await storage.pets.count({}), 0n)

    const accepted = await post(rows(3_000))
    assert.equal((accepted.body as Result).added, 3_000)
    assert.equal(await storage.pets.count({}), 3_000n)
  })

  test(`${engine.name}: several imports run at once`, async (t) => {
    const { send, storage } = await startApp(t, { engine })

    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => send(path, { method: 'POST', headers: ndjson, body: rows(3_000) })),
    )

    assert.deepEqual(
      answers.map(({ body }) => (body as Result).added),
      [3_000, 3_000, 3_000, 3_000],
    )
    assert.equal(await storage.pets.count({}), 12_000n)
  })
}

test('only the first 100 rejected rows are listed', async () => {
  const { send } = await sharedApp()

  const answer = await send(path, { method: 'POST', headers: ndjson, body: '{}\n'.repeat(150) })

  const { rejected, rejects } = answer.body as Result
  assert.equal(rejected, 150)
  assert.equal(rejects.length, 100)
  assert.equal(rejects.at(-1)?.line, 100)
})

for (const [what, init, status, code] of [
  [
    'another media type',
    { headers: { 'content-type': 'application/json' }, body: '{}' },
    415,
    'unsupported_media_type',
  ],
  [
    'two media types at once',
    { headers: { 'content-type': 'text/csv or application/x-ndjson' }, body: 'x' },
    415,
    'unsupported_media_type',
  ],
  [
    'another charset',
    { headers: { 'content-type': 'text/csv; charset=latin1' }, body: 'x' },
    415,
    'unsupported_media_type',
  ],
  ['a coded body', { headers: { ...csv, 'content-encoding': 'gzip' }, body: 'x' }, 415, 'unsupported_media_type'],
  ['no body', { headers: {} }, 400, 'invalid_body'],
  ['an empty CSV file', { headers: csv, body: '' }, 400, 'invalid_body'],
  ['a header without categoryId', { headers: csv, body: 'name\nRex\n' }, 400, 'invalid_body'],
  ['a line of more than 1 MiB', { headers: ndjson, body: 'x'.repeat(1_200_000) }, 400, 'invalid_body'],
] as const) {
  test(`an import with ${what} is ${status} ${code}`, async () => {
    const { send } = await sharedApp()

    assertError(await send(path, { method: 'POST', ...init, headers: { ...init.headers } }), code)
  })
}

test('media types may say charset=utf-8 and header=present, in any case', async () => {
  const { send } = await sharedApp()
  const headers = { 'content-type': 'Text/CSV; charset="UTF-8"; header=present' }

  const answer = await send(path, { method: 'POST', headers, body: 'name,categoryId\n' })

  assert.deepEqual(answer.body, { added: 0, rejected: 0, rejects: [] })
})

for (const type of ['text/csv', 'text/csv; charset=utf-16']) {
  test(`a file in UTF-16 with tabs, as spreadsheets save it, is added as ${type}`, async (t) => {
    const { send, storage } = await startApp(t)
    const body = Buffer.from('\ufeffname\tcategoryId\tstatus\r\nZoë 🐇\t1\tSold\r\n', 'utf16le')

    const answer = await send(path, { method: 'POST', headers: { 'content-type': type }, body })

    assert.deepEqual(answer.body, { added: 1, rejected: 0, rejects: [] })
    assert.deepEqual(await storage.pets.find(1n), { id: 1n, name: 'Zoë 🐇', categoryId: 1n, status: 'sold' })
  })
}

test('a mode other than all-or-nothing is 400', async () => {
  const { send } = await sharedApp()

  const answer = await send(`${path}?mode=some`, { method: 'POST', headers: ndjson, body: rows(1) })

  assertError(answer, 'invalid_parameter')
  assert.match(answer.text, /"mode must be all-or-nothing\."/)
})

test('a key that may only read is refused before the file is read', async () => {
  const { send, makeKey } = await sharedApp()
  const { secret } = await makeKey({ permission: 'read' })

  const headers = { ...ndjson, authorization: `Bearer ${secret}` }
  assertError(await send(path, { method: 'POST', headers, body: rows(1) }), 'forbidden')
})

test('an error in the middle of a file says how many animals were added', async (t) => {
  const { send, storage } = await startApp(t)

  const body = `${rows(2_500)}${'x'.repeat(1_200_000)}`
  const answer = await send(path, { method: 'POST', headers: ndjson, body })

  assertError(answer, 'invalid_body')
  const { message } = answer.body as { message: string }
  const added = await storage.pets.count({})
  assert.ok(added >= 2_000n)
  assert.ok(message.includes(`${added} animals were added.`), message)
})

for (const [what, change] of [
  ['other rows', (file: string) => file.replace('Pet 2', 'Pet X')],
  ['fewer rows', (file: string) => file.slice(0, file.indexOf('\n') + 1)],
  ['more rows', (file: string) => file + rows(1)],
] as const) {
  test(`an Idempotency-Key that was used with ${what} is 422`, async (t) => {
    const { send, storage } = await startApp(t)
    const headers = { ...ndjson, 'idempotency-key': 'k' }
    await send(path, { method: 'POST', headers, body: rows(3) })

    const answer = await send(path, { method: 'POST', headers, body: change(rows(3)) })

    assertError(answer, 'idempotency_mismatch')
    assert.equal(await storage.pets.count({}), 3n)
  })
}

test('an Idempotency-Key that was used for a create is 422', async (t) => {
  const { send, create } = await startApp(t)
  const headers = { 'idempotency-key': 'k' }
  await create({ name: 'Rex', categoryId: 1 }, headers)

  assertError(
    await send(path, { method: 'POST', headers: { ...ndjson, ...headers }, body: rows(1) }),
    'idempotency_mismatch',
  )
})

test('a second import with the same Idempotency-Key at the same time is 409', async (t) => {
  const app = await startApp(t)
  const headers = { ...ndjson, 'idempotency-key': 'k' }
  const upload = openUpload(app, headers)
  upload.write(rows(3_000))
  await until(async () => (await app.storage.pets.count({})) > 0n)

  const answer = await app.send(path, { method: 'POST', headers, body: rows(1) })

  assertError(answer, 'conflict')
  assert.equal(answer.headers.get('retry-after'), '1')
  upload.destroy()
})

test('a retry in another process overtakes a slow upload, which is 409 and leaves the count to the retry', async (t) => {
  const app = await startApp(t)
  const other = await startApp(t, { storage: app.storage, adminKey: app.key })
  const headers = { ...ndjson, 'idempotency-key': 'k' }
  const upload = openUpload(app, headers)
  upload.write(rows(2_500))
  await until(async () => (await app.storage.pets.count({})) > 0n)

  const retried = await other.send(path, { method: 'POST', headers, body: rows(5_000) })
  upload.end(rows(5_000).slice(rows(2_500).length))
  const overtaken = await answerTo(upload)

  assert.deepEqual(retried.body, { added: 5_000, rejected: 0, rejects: [] })
  assert.equal(overtaken.status, 409)
  assert.match(overtaken.body, /"Another request with this Idempotency-Key is in flight; try again\."/)
  assert.equal(await app.storage.pets.count({}), 5_000n)
})

test('a refused all-or-nothing import is not remembered', async (t) => {
  const { send } = await startApp(t)
  const headers = { ...ndjson, 'idempotency-key': 'k' }
  const post = (body: string) => send(`${path}?mode=all-or-nothing`, { method: 'POST', headers, body })
  await post('{}\n')

  assert.equal(((await post(rows(1))).body as Result).added, 1)
})

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

  assert.deepEqual(answer.body, { added: 20, rejected: 0, rejects: [] })
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

    assert.deepEqual(body, { added: 5_000, rejected: 0, rejects: [] })
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

interface Result {
  added: number
  rejected: number
  rejects: { line: number; message: string }[]
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_none, index) => `Pet ${index + 1}`)
}

function rows(count: number): string {
  return numbered(count)
    .map((name, index) => `{"name":"${name}","categoryId":${index % 10}}\n`)
    .join('')
}

/** An upload that the test writes piece by piece. */
function openUpload({ origin, key }: TestApp, headers: Record<string, string>, query = '') {
  const upload = httpRequest(`${origin}${path}${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
  upload.on('error', () => undefined)
  return upload
}

async function answerTo(upload: ReturnType<typeof openUpload>) {
  const [response] = (await once(upload, 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of response) body += String(chunk)
  return { status: response.statusCode, body, challenge: response.headers['www-authenticate'] ?? '' }
}

async function statusAndConnection(upload: ReturnType<typeof openUpload>) {
  const [response] = (await once(upload, 'response')) as [IncomingMessage]
  upload.destroy()
  return [response.statusCode, response.headers.connection]
}

/** The number of animals when no batch is being added any more. */
async function settledCount({ storage }: TestApp): Promise<bigint> {
  // A write of one's own comes after those that were under way.
  await storage.imports.add([])
  return storage.pets.count({})
}

async function allNames({ storage }: TestApp): Promise<string[]> {
  const names: string[] = []
  for (let after = 0n, more = true; more; ) {
    const page = await storage.pets.list({}, 1_000, after)
    for (const { name } of page.items) names.push(name)
    after = page.items.at(-1)?.id ?? after
    more = page.more
  }
  return names
}
