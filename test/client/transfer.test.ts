import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionError, isPetStoreError, TimeoutError, UnexpectedResponseError } from '../../client/src/index.ts'
import { withoutEndLine } from '../../client/src/export-end.ts'
import type { Pets } from '../../src/inventory/pets.ts'
import { startClient } from '../support/client.ts'

const rows = (count: number) => 'name,categoryId\n' + 'Rex,1\n'.repeat(count)
const bytes = new TextEncoder().encode(rows(3))

const sources = {
  'a string': () => rows(3),
  bytes: () => bytes,
  'a Blob': () => new Blob([bytes]),
  'a ReadableStream': () => new Blob([bytes]).stream(),
  'an async iterable': async function* () {
    yield 'name,categoryId\n'
    yield new TextEncoder().encode('Rex,1\nTom,1\n')
    yield 'Mia,1\n'
  },
}

for (const [what, source] of Object.entries(sources)) {
  test(`import sends ${what}`, async (t) => {
    const { petstore } = await startClient(t)

    assert.partialDeepStrictEqual(await petstore.pets.import(source()), { added: 3, rejected: 0, rejects: [] })
    assert.equal(await petstore.pets.count(), 3)
  })
}

test('import takes a format and a mode, and reports rejected rows', async (t) => {
  const { petstore } = await startClient(t)

  const result = await petstore.pets.import('{"name":"Rex","categoryId":1}\n{}\n', {
    format: 'ndjson',
    mode: 'all-or-nothing',
  })

  assert.equal(result.added, 0)
  assert.equal(result.rejects[0]?.line, 2)
})

test('import makes categories, and tells in a dry run which it would make', async (t) => {
  const { petstore } = await startClient(t)
  const file = 'name,categoryName\nRex,Dogs\nTom,dogs\n'

  const forecast = await petstore.pets.import(file, { createCategories: true, dryRun: true })
  const refused = await petstore.pets.import(file, { createCategories: false })
  const result = await petstore.pets.import(file, { createCategories: true, dryRun: false })

  assert.deepEqual(forecast, { added: 2, rejected: 0, rejects: [], newCategories: ['Dogs'] })
  assert.deepEqual([refused.added, result.added], [0, 2])
  assert.equal(await petstore.pets.count(), 2)
})

for (const fault of ['swallow', 'reset', 'halve'] as const) {
  test(`a file that can be sent again is, after "${fault}", and no row is added twice`, async (t) => {
    const { petstore, proxy } = await startClient(t)
    proxy.next(fault)

    assert.equal((await petstore.pets.import(rows(3))).added, 3)
    assert.equal(await petstore.pets.count(), 3)
  })
}

test('a stream is sent once', async (t) => {
  const { petstore, proxy } = await startClient(t)
  proxy.next('reset')

  await assert.rejects(petstore.pets.import(sources['an async iterable']()), ConnectionError)
  assert.equal(proxy.requests.length, 1)
})

test('a file that cannot be read is invalid_body', async (t) => {
  const { petstore } = await startClient(t)

  await assert.rejects(petstore.pets.import('name|categoryId\n'), (error) => isPetStoreError(error, 'invalid_body'))
})

test('export yields the bytes of the file', async (t) => {
  const { petstore } = await startClient(t)
  await petstore.pets.import(rows(450))
  await petstore.pets.create({ name: '犬', categoryId: 2 })

  const all = await textOf(petstore.pets.export())
  const one = await textOf(petstore.pets.export({ categoryId: 2, format: 'ndjson' }))

  assert.equal(all.split('\n').length, 453)
  assert.equal(one, '{"id":451,"name":"犬","categoryId":2}\n')
})

test('export throws if the file ends too early', async (t) => {
  const { petstore, service } = await startClient(t)
  await petstore.pets.import(rows(1_000))
  const { pets } = service.storage as { pets: Pets }
  const list = pets.list.bind(pets)
  let pages = 0
  pets.list = async (...asked) => {
    if (++pages > 3) throw new Error('The disk is gone.')
    return list(...asked)
  }

  await assert.rejects(Array.fromAsync(petstore.pets.export()), ConnectionError)
})

test('export can be aborted, and left in the middle', async (t) => {
  const { petstore } = await startClient(t)
  await petstore.pets.import(rows(1_000))

  await assert.rejects(
    Array.fromAsync(petstore.pets.export({}, { signal: AbortSignal.abort('enough') })),
    (reason) => reason === 'enough',
  )
  for await (const part of petstore.pets.export()) {
    assert.ok(part.length > 0)
    break
  }
})

for (const [name, status, type, isFile] of [
  ['Text/CSV; charset=utf-8', 200, 'Text/CSV; charset=utf-8', true],
  ['text/csvx', 200, 'text/csvx', false],
  ['206', 206, 'text/csv', false],
  ['204', 204, 'text/csv', false],
] as const) {
  test(`an export as ${name} is ${isFile ? 'a' : 'no'} file`, async (t) => {
    const { petstore, proxy } = await startClient(t)
    proxy.next({ status, headers: { 'content-type': type } })

    const file = Array.fromAsync(petstore.pets.export())

    if (isFile) assert.deepEqual(await file, [])
    else await assert.rejects(file, UnexpectedResponseError)
  })
}

test('an export that stalls is a TimeoutError', async (t) => {
  const { petstore, proxy } = await startClient(t)
  await petstore.pets.import(rows(3))
  proxy.next('stall')

  await assert.rejects(Array.fromAsync(petstore.pets.export({}, { timeoutMs: 200 })), TimeoutError)
})

for (const [name, body, isWhole] of [
  ['without its last line', 'id,name,categoryId,status\n1,Rex', false],
  ['with a line about other bytes', 'id,name\n{"end":{"bytes":9}}\n', false],
  ['that is empty', '', false],
  ['with its last line', 'id,name\n{"end":{"bytes":8}}\n', true],
] as const) {
  test(`an export ${name} is ${isWhole ? '' : 'not '}a whole file`, async (t) => {
    const { petstore, proxy } = await startClient(t)
    proxy.next({ status: 200, headers: { 'content-type': 'text/csv', 'preference-applied': 'export-end' }, body })

    const file = textOf(petstore.pets.export())

    if (isWhole) assert.equal(await file, 'id,name\n')
    else await assert.rejects(file, ConnectionError)
  })
}

test('the end of an export is found, however it is split', async () => {
  const text = 'id,name\n1,🐶\n'.repeat(20)
  const bytes = new TextEncoder().encode(text)
  const marked = Buffer.concat([bytes, Buffer.from(`{"end":{"bytes":${bytes.length}}}\n`)])
  const cutOff = () => new Error('cut off')

  async function* split(file: Uint8Array, size: number) {
    for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size)
  }
  for (const size of [1, 2, 7, 63, 64, 65, 1_000]) {
    assert.equal(await textOf(withoutEndLine(split(marked, size), cutOff)), text)
    await assert.rejects(textOf(withoutEndLine(split(marked.subarray(0, -1), size), cutOff)), cutOff())
  }
})

async function textOf(parts: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(parts)).toString()
}
