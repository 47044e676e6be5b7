import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http'
import { test, type TestContext } from 'node:test'
import { requestsTo, startApp, type TestApp } from '../support/app.ts'
import { sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { unlessStalled } from '../support/promised-time.ts'
import { until } from '../support/until.ts'

const path = '/v1/pets/import'
const ndjson = { 'content-type': 'application/x-ndjson' }
const row = '{"name":"Rex","categoryId":1}\n'

test('one API key cannot take all places for imports', async (t) => {
  const app = await startApp(t, { importLimits: { maxImports: 4 } })
  const other = requestsTo(app.origin, (await app.makeKey()).secret)
  const uploads = [await openUpload(t, app), await openUpload(t, app)]

  const more = await app.send(path, { method: 'POST', headers: ndjson, body: row })
  const others = await other.send(path, { method: 'POST', headers: ndjson, body: row })

  assertError(more, 'unavailable')
  assert.equal(more.headers.get('retry-after'), '10')
  assert.equal(others.status, 200)
  for (const upload of uploads) assert.equal((await endOf(upload)).status, 200)
})

test('an import that arrives too slowly loses its place to one of another key, and says what was added', async (t) => {
  const app = await startApp(t, { importLimits: { maxImports: 1, maxLateMs: 30 } })
  const other = requestsTo(app.origin, (await app.makeKey()).secret)
  const slow = await openUpload(t, app)
  const answered = answerTo(slow)
  const trickle = setInterval(() => slow.write(' '), 2)
  t.after(() => clearInterval(trickle))

  await until(async () => (await other.send(path, { method: 'POST', headers: ndjson, body: row })).status === 200)

  const { status, text } = await answered
  assert.equal(status, 503)
  assert.match(text, /too slowly while others wait to import; try again\. \d+ animals were added\. Send the whole file/)
})

test('the time for adding a batch is not slow sending: the import keeps its place', (t) =>
  unlessStalled(50, async () => {
    const storage = await sqlite.open(t)
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const add: typeof storage.imports.add = async (...batch) => {
      begun.resolve()
      await held.promise
      return storage.imports.add(...batch)
    }
    const app = await startApp(t, {
      storage: { ...storage, imports: { ...storage.imports, add } },
      importLimits: { maxImports: 1, maxLateMs: 100 },
    })
    t.after(() => held.resolve())
    const other = requestsTo(app.origin, (await app.makeKey()).secret)
    const importing = app.send(path, { method: 'POST', headers: ndjson, body: row })
    await begun.promise
    await new Promise((resolve) => setTimeout(resolve, 150))

    const refused = await other.send(path, { method: 'POST', headers: ndjson, body: '' })

    assertError(refused, 'unavailable')
    held.resolve()
    assert.equal((await importing).status, 200)
  }))

let uploadCount = 0

/** An import that has added a batch and waits for its client. */
async function openUpload(t: TestContext, { origin, key, storage }: TestApp): Promise<ClientRequest> {
  const idempotencyKey = `upload-${++uploadCount}`
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey, ...ndjson }
  const upload = httpRequest(origin + path, { method: 'POST', headers }).on('error', () => undefined)
  t.after(() => upload.destroy())
  const before = await storage.pets.count({})
  upload.write(row.repeat(3_000))
  await until(async () => (await storage.pets.count({})) > before)
  return upload
}

async function answerTo(upload: ClientRequest) {
  const [response] = (await once(upload, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode, text }
}

function endOf(upload: ClientRequest) {
  upload.end()
  return answerTo(upload)
}
