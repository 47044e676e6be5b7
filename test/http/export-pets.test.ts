import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { int64Min } from '../../src/contract/int64.ts'
import { unavailable } from '../../src/inventory/errors.ts'
import type { Pets } from '../../src/inventory/pets.ts'
import { shareApp, startApp, type TestApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { until } from '../support/until.ts'

const sharedApp = shareApp()
const path = '/v1/pets/export'

for (const engine of engines) {
  test(`${engine.name}: an export has every matching animal once, by id, exactly as it is`, async (t) => {
    const { send, storage } = await startApp(t, { engine })
    const names = ['=1+2', 'Rex, "the dog"', '犬\u0301\n', ' Tom ', '<b>שלום</b>']
    for (const [index, name] of names.entries()) {
      await storage.pets.create({ name, categoryId: BigInt(index % 2), ...(index === 0 && { status: 'sold' }) })
    }

    const csv = await send(path)
    const ndjson = await send(`${path}?format=ndjson&categoryId=1`)

    const found = await send(`${path}?format=ndjson&name=DOG%20rex`)
    const withoutStatus = await send(`${path}?format=ndjson&without=status`)

    assert.equal(csv.status, 200)
    assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
    assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="pets.csv"')
    assert.equal(csv.headers.get('cache-control'), 'no-store')
    const lines = ['1,=1+2,0,sold', '2,"Rex, ""the dog""",1,', '3,"犬\u0301\n",0,', '4," Tom ",1,', '5,<b>שלום</b>,0,']
    assert.equal(csv.text, `id,name,categoryId,status\n${lines.map((line) => `${line}\n`).join('')}`)
    assert.equal(ndjson.headers.get('content-type'), 'application/x-ndjson')
    assert.equal(ndjson.headers.get('content-disposition'), 'attachment; filename="pets.ndjson"')
    assert.equal(
      ndjson.text,
      '{"id":2,"name":"Rex, \\"the dog\\"","categoryId":1}\n{"id":4,"name":" Tom ","categoryId":1}\n',
    )
    assert.equal(found.text, '{"id":2,"name":"Rex, \\"the dog\\"","categoryId":1}\n')
    assert.deepEqual(withoutStatus.text.match(/(?<="id":)\d/g), ['2', '3', '4', '5'])
  })

  test(`${engine.name}: an export for a spreadsheet has a byte order mark and names of categories, and is imported unchanged`, async (t) => {
    const { send, storage, origin, key } = await startApp(t, { engine })
    await storage.categories.put({ id: 1n, name: 'Cats; "and" more\t' })
    const names = ['=1+2', 'a;b', 'a\tb', 'a,b', '"', ' x ']
    for (const name of names) await storage.pets.create({ name, categoryId: 1n, status: 'sold' })
    await storage.pets.create({ name: 'Rex', categoryId: -7n })
    await storage.categories.put({ id: int64Min, name: 'First' })
    await storage.pets.create({ name: 'Ada', categoryId: int64Min })

    const file = await send(`${path}?spreadsheet=true&separator=semicolon&id=2`)
    const head = await send(`${path}?spreadsheet=true&separator=tab&id=7`)
    const plain = await send(`${path}?spreadsheet=false&separator=tab&id=7`)
    const first = await send(`${path}?spreadsheet=true&id=8`)

    // `text` has lost the byte order mark.
    const raw = await fetch(`${origin}${path}?spreadsheet=true`, { headers: { authorization: `Bearer ${key}` } })
    assert.deepEqual([...new Uint8Array(await raw.arrayBuffer()).slice(0, 4)], [0xef, 0xbb, 0xbf, 'i'.charCodeAt(0)])
    assert.equal(file.text, 'id;name;categoryId;status;categoryName\n2;"a;b";1;sold;"Cats; ""and"" more\t"\n')
    assert.equal(head.text, 'id\tname\tcategoryId\tstatus\tcategoryName\n7\tRex\t-7\t\t\n')
    assert.equal(first.text, `id,name,categoryId,status,categoryName\n8,Ada,${int64Min},,First\n`)
    assert.equal(plain.text, 'id\tname\tcategoryId\tstatus\n7\tRex\t-7\t\n')
    for (const separator of ['comma', 'semicolon', 'tab']) {
      const other = await startApp(t)
      const { text } = await send(`${path}?spreadsheet=true&separator=${separator}`)
      const headers = { 'content-type': 'text/csv' }
      await other.send('/v1/pets/import', { method: 'POST', headers, body: `\ufeff${text}` })
      assert.deepEqual(await other.storage.pets.list({}, 20, 0n), await storage.pets.list({}, 20, 0n), separator)
    }
  })

  test(`${engine.name}: an export of many pages can be imported again`, async (t) => {
    const { send, storage } = await startApp(t, { engine })
    const pets = Array.from({ length: 1_001 }, (_none, index) => ({ name: `Pet ${index}`, categoryId: 1n }))
    await storage.imports.add(pets)

    const { text } = await send(path)
    const answer = await send('/v1/pets/import', {
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
      body: text,
    })

    assert.equal(text.split('\n').length, 1_003)
    assert.partialDeepStrictEqual(answer.body, { added: 1_001, rejected: 0, rejects: [] })
  })
}

test('an export of no animals is a header, or nothing', async () => {
  const { send } = await sharedApp()

  assert.equal((await send(path)).text, 'id,name,categoryId,status\n')
  assert.equal((await send(`${path}?format=ndjson`)).text, '')
})

test('HEAD of an export has its headers and reads nothing', async (t) => {
  const { send, storage } = await startApp(t)
  failAfter(storage.pets, 0)

  const answer = await send(path, { method: 'HEAD' })

  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="pets.csv"')
})

for (const query of [
  'format=xml',
  'format=',
  'status=gone',
  'status=sold&without=status',
  'categoryId=x',
  'format=csv&format=csv',
  'spreadsheet=yes',
  'separator=;',
  'format=ndjson&spreadsheet=true',
  'format=ndjson&separator=tab',
]) {
  test(`an export with ${query} is 400`, async () => {
    const { send } = await sharedApp()

    assertError(await send(`${path}?${query}`), 'invalid_parameter')
  })
}

test('an error before the first animal is a response', async (t) => {
  const { send, storage } = await startApp(t)
  failAfter(storage.pets, 0)

  const answer = await send(path)

  assertError(answer, 'unavailable')
  assert.equal(answer.headers.get('content-disposition'), null)
})

test('an export ends with its key, and its file is not complete', async (t) => {
  const app = await startApp(t)
  const { id, secret } = await app.makeKey({ permission: 'read' })
  await fill(app, 1_000)
  const { pets, keys } = app.storage
  const list = pets.list.bind(pets)
  pets.list = async (...asked) => {
    const page = await list(...asked)
    await keys.revoke(id, Date.now())
    return page
  }

  assert.equal(await endOf({ ...app, key: secret }, '1.0'), 'ECONNRESET')
  assert.deepEqual(app.failures, [])
})

for (const version of ['1.1', '1.0']) {
  test(`an error in the middle of an export breaks the connection, with HTTP/${version}`, async (t) => {
    const app = await startApp(t)
    await fill(app, 1_000)
    failAfter(app.storage.pets, 2)

    assert.equal(await endOf(app, version), 'ECONNRESET')
    assert.deepEqual(
      app.failures.map(({ message }) => message),
      ['The disk is gone.'],
    )
  })
}

test('a client that does not read an export is cut, and the export ends', async (t) => {
  const app = await startApp(t, { connectionLimits: { stallTimeoutMs: 200 } })
  await fill(app, 20_000)
  const { pets } = app.storage
  const list = pets.list.bind(pets)
  let pages = 0
  pets.list = (...asked) => (pages++, list(...asked))
  const socket = connect(Number(new URL(app.origin).port), '127.0.0.1')
  socket.pause()
  socket.on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: petstore\r\nAuthorization: Bearer ${app.key}\r\n\r\n`)

  await until(() => pages > 0)
  await until(async () => (await connections(app)) === 0)

  // A hundred pages would be all animals: the socket takes a few, the rest is never read.
  assert.ok(pages < 100, `${pages} pages were read`)
})

async function connections({ app }: TestApp): Promise<number> {
  return new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)))
}

async function fill({ storage }: TestApp, count: number): Promise<void> {
  const name = 'x'.repeat(1_000)
  await storage.imports.add(Array.from({ length: count }, () => ({ name, categoryId: 1n })))
}

/** Makes every page after the first ones fail. */
function failAfter(pets: Pets, pages: number): void {
  const list = pets.list.bind(pets)
  let read = 0
  pets.list = async (...asked) => {
    if (read++ >= pages) throw unavailable('The disk is gone.')
    return list(...asked)
  }
}

/** The error with which the connection of an export ends, undefined for none. */
async function endOf({ origin, key }: TestApp, version: string): Promise<string | undefined> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  let error: string | undefined
  socket.resume()
  socket.on('error', ({ code }: NodeJS.ErrnoException) => (error = code))
  socket.write(`GET ${path} HTTP/${version}\r\nHost: petstore\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  await new Promise((resolve) => socket.once('close', resolve))
  return error
}

for (const format of ['csv', 'ndjson']) {
  test(`Prefer: export-end adds a last line with the number of bytes before it to ${format}`, async (t) => {
    const app = await startApp(t)
    for (const name of ['Rex', '犬', 'Tom']) await app.create({ name, categoryId: 1 })

    const plain = await app.send(`/v1/pets/export?format=${format}`)
    const ended = await app.send(`/v1/pets/export?format=${format}`, { headers: { prefer: 'export-end' } })

    assert.equal(ended.headers.get('preference-applied'), 'export-end')
    assert.equal(plain.headers.get('preference-applied'), null)
    assert.equal(ended.text, `${plain.text}{"end":{"bytes":${Buffer.byteLength(plain.text)}}}\n`)
  })
}
