import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp, type TestApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { until } from '../support/until.ts'
import {
  answerTo,
  ndjson,
  numbered,
  openUpload,
  path,
  type ImportResult,
  rows,
  settledCount,
} from '../support/import-requests.ts'

for (const engine of engines) {
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
    assert.equal((answer.body as ImportResult).added, 5_000)
    assert.equal((answer.body as ImportResult).rejects[0]?.line, 4_001)
    const names = await allNames(app)
    assert.deepEqual(names, [...numbered(4_000), ...numbered(1_000)])
  })
}

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

  assert.partialDeepStrictEqual(retried.body, { added: 5_000, rejected: 0, rejects: [] })
  assert.equal(overtaken.status, 409)
  assert.match(overtaken.body, /"Another request with this Idempotency-Key is in flight; try again\."/)
  assert.equal(await app.storage.pets.count({}), 5_000n)
})

test('a refused all-or-nothing import is not remembered', async (t) => {
  const { send } = await startApp(t)
  const headers = { ...ndjson, 'idempotency-key': 'k' }
  const post = (body: string) => send(`${path}?mode=all-or-nothing`, { method: 'POST', headers, body })
  await post('{}\n')

  assert.equal(((await post(rows(1))).body as ImportResult).added, 1)
})

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
