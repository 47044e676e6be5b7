import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { startApp, type TestApp } from '../support/app.ts'
import { sqliteInMemory, postgres } from '../support/engines.ts'

interface RawAnswer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** Asks without a client that decodes. */
function ask({ origin, key }: TestApp, path: string, headers: Record<string, string>, method = 'GET') {
  return new Promise<RawAnswer>((resolve, reject) => {
    const asking = request(`${origin}${path}`, { method, headers: { authorization: `Bearer ${key}`, ...headers } })
    asking.on('error', reject)
    asking.on('response', async (response) => {
      const chunks = (await response.toArray()) as Buffer[]
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) })
    })
    asking.end()
  })
}

const decoders = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  identity: (bytes: Buffer) => bytes,
} as const

async function fill({ create }: TestApp): Promise<void> {
  for (let id = 1; id <= 20; id++) await create({ name: `Rex the dog of the neighbours, number ${id}`, categoryId: 1 })
}

for (const engine of [sqliteInMemory, postgres]) {
  test(`${engine.name}: each coding has the same content and a strong tag of its own, in every path`, async (t) => {
    const app = await startApp(t, { engine })
    await fill(app)
    const plain = await ask(app, '/v1/pets', {})
    const tags = new Set([plain.headers.etag])

    for (const coding of ['gzip', 'br', 'zstd'] as const) {
      const accept = { 'accept-encoding': coding }
      const answers = [await ask(app, '/v1/pets', { ...accept, origin: 'https://shop.example' })]
      // Read, read again and from memory.
      for (let times = 0; times < 4; times++) answers.push(await ask(app, '/v1/pets', accept))

      for (const { headers, bytes } of answers) {
        assert.equal(headers['content-encoding'], coding)
        assert.equal(headers['content-type'], 'application/json')
        assert.equal(headers.vary, 'Prefer, Accept-Encoding')
        assert.equal(headers['content-length'], String(bytes.length))
        assert.equal(headers.etag, answers[0]?.headers.etag)
        assert.deepEqual(decoders[coding](bytes), plain.bytes)
      }
      tags.add(answers[0]?.headers.etag)
    }

    assert.equal(tags.size, 4)
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.equal(plain.headers.vary, 'Prefer, Accept-Encoding')
  })
}

for (const [acceptEncoding, expected] of [
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip;q=0.9', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip;q=0.5, identity', undefined],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['*', 'zstd'],
  ['*;q=0', undefined],
  ['deflate', undefined],
  ['identity;q=0', undefined],
  ['', undefined],
] as const) {
  test(`Accept-Encoding: ${acceptEncoding} gets ${expected ?? 'no coding'}`, async (t) => {
    const app = await startApp(t)
    await fill(app)

    for (let times = 0; times < 4; times++) {
      const { status, headers } = await ask(app, '/v1/pets', { 'accept-encoding': acceptEncoding })

      assert.deepEqual([status, headers['content-encoding']], [200, expected])
    }
  })
}

test('a short page is coded only for a client that refuses it otherwise', async (t) => {
  const app = await startApp(t)

  for (let times = 0; times < 4; times++) {
    const plain = await ask(app, '/v1/pets', { 'accept-encoding': 'gzip' })
    const coded = await ask(app, '/v1/pets', { 'accept-encoding': 'gzip, identity;q=0' })

    assert.equal(plain.bytes.toString(), '[]')
    assert.equal(gunzipSync(coded.bytes).toString(), '[]')
  }
})

test('a page that is too long to be coded at once is sent without a coding', async (t) => {
  const app = await startApp(t)
  for (let id = 1; id <= 3; id++) await app.create({ name: 'x'.repeat(60_000), categoryId: 1 })

  const { headers, bytes } = await ask(app, '/v1/pets', { 'accept-encoding': 'gzip, identity;q=0' })

  assert.equal(headers['content-encoding'], undefined)
  assert.ok(bytes.length > 180_000)
})

test('If-None-Match with the tag of a coded page gets 304 until the page changes', async (t) => {
  const app = await startApp(t)
  await fill(app)
  const accept = { 'accept-encoding': 'br' }
  const { headers } = await ask(app, '/v1/pets', accept)
  const known = { ...accept, 'if-none-match': headers.etag ?? '' }

  const unchanged = await ask(app, '/v1/pets', known)
  const without = await ask(app, '/v1/pets', { 'if-none-match': headers.etag ?? '' })
  await app.storage.pets.update(1n, { name: 'Tom' })
  const changed = await ask(app, '/v1/pets', known)

  assert.deepEqual([unchanged.status, unchanged.headers.etag, unchanged.bytes.length], [304, headers.etag, 0])
  assert.equal(unchanged.headers['content-encoding'], undefined)
  assert.equal(without.status, 200)
  assert.deepEqual([changed.status, changed.headers['content-encoding']], [200, 'br'])
})

test('one animal has no coding, so that its tag guards changes', async (t) => {
  const app = await startApp(t)
  await app.create({ name: 'x'.repeat(5_000), categoryId: 1 })

  for (const path of ['/v1/pets/1', '/v1/pets?id=1']) {
    for (let times = 0; times < 3; times++) {
      const { headers } = await ask(app, path, { 'accept-encoding': 'gzip, br' })
      assert.equal(headers['content-encoding'], undefined)
      const change = await app.sendJson('PATCH /v1/pets/1', { status: 'sold' }, { 'if-match': headers.etag ?? '' })
      assert.equal(change.status, 200)
    }
  }
})

test('HEAD of a coded page has the headers of GET', async (t) => {
  const app = await startApp(t)
  await fill(app)
  const accept = { 'accept-encoding': 'gzip' }

  const get = await ask(app, '/v1/pets', accept)
  const head = await ask(app, '/v1/pets', accept, 'HEAD')

  for (const name of ['content-encoding', 'content-length', 'etag', 'vary', 'content-type'] as const)
    assert.equal(head.headers[name], get.headers[name], name)
  assert.equal(head.bytes.length, 0)
})
