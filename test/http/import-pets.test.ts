import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareApp, startApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { csv, ndjson, path, type ImportResult, rows } from '../support/import-requests.ts'

const sharedApp = shareApp()

for (const engine of engines) {
  test(`${engine.name}: a CSV file is added in order, and invalid rows are reported and skipped`, async (t) => {
    const { send, storage } = await startApp(t, { engine })
    const body =
      '\ufeffid,status,name,categoryId\r\n9,available,Rex,1\r\n,,"Tom, the ""cat""",-7\r\n,,,1\r\n,gone,Mia,x\r\n'

    const answer = await send(path, { method: 'POST', headers: csv, body })

    assert.equal(answer.status, 200)
    const { added, rejected, rejects } = answer.body as ImportResult
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

    assert.partialDeepStrictEqual(answer.body, { added: count, rejected: 0, rejects: [] })
    assert.equal(await storage.pets.count({}), BigInt(count))
    assert.equal((await storage.pets.find(4_321n))?.name, 'Pet 4321')
    const { items } = await storage.events.list(1, 4_999n)
    assert.match(items[0]?.author ?? '', /"the-import"/)
  })

  test(`${engine.name}: all-or-nothing adds all rows, or none if one is rejected`, async (t) => {
    const { send, storage } = await startApp(t, { engine })
    const post = (body: string) => send(`${path}?mode=all-or-nothing`, { method: 'POST', headers: ndjson, body })

    const refused = await post(`${rows(3_000)}{}\n${rows(1)}`)
    assert.equal((refused.body as ImportResult).added, 0)
    assert.equal((refused.body as ImportResult).rejected, 1)
    assert.equal(await storage.pets.count({}), 0n)

    const accepted = await post(rows(3_000))
    assert.equal((accepted.body as ImportResult).added, 3_000)
    assert.equal(await storage.pets.count({}), 3_000n)
  })

  test(`${engine.name}: several imports run at once`, async (t) => {
    const { send, storage } = await startApp(t, { engine })

    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => send(path, { method: 'POST', headers: ndjson, body: rows(3_000) })),
    )

    assert.deepEqual(
      answers.map(({ body }) => (body as ImportResult).added),
      [3_000, 3_000, 3_000, 3_000],
    )
    assert.equal(await storage.pets.count({}), 12_000n)
  })
}

test('only the first 100 rejected rows are listed', async () => {
  const { send } = await sharedApp()

  const answer = await send(path, { method: 'POST', headers: ndjson, body: '{}\n'.repeat(150) })

  const { rejected, rejects } = answer.body as ImportResult
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

  assert.partialDeepStrictEqual(answer.body, { added: 0, rejected: 0, rejects: [] })
})

for (const type of ['text/csv', 'text/csv; charset=utf-16']) {
  test(`a file in UTF-16 with tabs, as spreadsheets save it, is added as ${type}`, async (t) => {
    const { send, storage } = await startApp(t)
    const body = Buffer.from('\ufeffname\tcategoryId\tstatus\r\nZoë 🐇\t1\tSold\r\n', 'utf16le')

    const answer = await send(path, { method: 'POST', headers: { 'content-type': type }, body })

    assert.partialDeepStrictEqual(answer.body, { added: 1, rejected: 0, rejects: [] })
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
