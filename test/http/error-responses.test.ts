import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ErrorCode } from '../../src/contract/error.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { shareApp, startApp } from '../support/app.ts'
import { sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { ask, json } from '../support/raw-requests.ts'

const sharedApp = shareApp()

const errors: [code: ErrorCode, start: string, headers?: string[], body?: string][] = [
  ['invalid_parameter', 'GET /v1/pets?limit=0'],
  ['invalid_parameter', 'GET /v1/pets?cursor=x'],
  ['invalid_parameter', 'POST /v1/pets', [json, 'Idempotency-Key: ""'], '{"name":"Rex","categoryId":1}'],
  ['invalid_parameter', 'GET /v1/store/orders?petId=x'],
  ['invalid_parameter', 'GET /v1/events?after=x'],
  ['invalid_body', 'PATCH /v1/pets/1', [json], '{"name":null}'],
  ['conflict', 'POST /v1/store/orders', [json], '{"petId":1}'],
  ['invalid_body', 'POST /v1/pets', [json], '{'],
  ['invalid_body', 'POST /v1/pets', [json], '{}'],
  ['invalid_request', 'GET /v1/%zz'],
  ['invalid_request', 'GET /v1/pets', ['colon']],
  ['invalid_request', 'GET /v1/pets', ['Host: again']],
  ['unauthorized', 'GET /v1/pets', ['Authorization: Basic x']],
  ['not_found', 'GET /v1/nope'],
  ['not_found', 'GET /v1/pets/abc'],
  ['method_not_allowed', 'PUT /v1/pets'],
  ['payload_too_large', 'POST /v1/pets', [json, 'Content-Length: 65537']],
  ['uri_too_long', `GET /v1/${'a'.repeat(5_000)}`],
  ['unsupported_media_type', 'POST /v1/pets', ['Content-Type: text/plain'], 'Rex'],
  ['expectation_failed', 'GET /v1/pets', ['Expect: tea']],
  ['headers_too_large', 'GET /v1/pets', [`X-Large: ${'a'.repeat(9_000)}`]],
]

for (const [code, start, headers, body] of errors) {
  const shown = [start.slice(0, 40), ...(headers ?? [])].join(' ').slice(0, 80)
  test(`an error reveals nothing internal and is not cacheable: ${code} for ${shown}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, start, headers, body)

    assertError(answer, code)
    assert.doesNotMatch(answer.text, /fastify|FST_|HPE_|ERR_|sql|typebox|ajv|node|stack|\.ts\b|\/src|JSON at position/i)
    assert.doesNotMatch([...answer.headers.keys()].join(), /server|powered/)
  })
}

async function storageThatFails(t: TestContext): Promise<Storage> {
  const storage = await sqliteInMemory.open(t)
  const fail = () => Promise.reject(new Error('SELECT secret FROM pets in /srv/petstore.db (node:sqlite)'))
  return {
    ...storage,
    pets: {
      list: fail,
      count: fail,
      inventory: fail,
      inventoryById: fail,
      inventoryOf: fail,
      find: fail,
      create: fail,
      update: fail,
      remove: fail,
      changeMany: fail,
    },
    orders: { list: fail, find: fail, place: fail, update: fail },
    categories: { list: fail, find: fail, put: fail, create: fail, remove: fail },
    events: { list: fail, listBackwards: fail, latest: fail, forget: fail },
  }
}

for (const [start, headers, body] of [
  ['GET /v1/pets', [], ''],
  ['GET /v1/pets/1', [], ''],
  ['POST /v1/pets', [json], '{"name":"Rex","categoryId":1}'],
  ['PATCH /v1/pets/1', [json], '{"name":"Rex"}'],
  ['DELETE /v1/pets/1', [], ''],
  ['GET /v1/store/orders', [], ''],
  ['POST /v1/store/orders', [json], '{"petId":1}'],
  ['GET /v1/store/orders/1', [], ''],
  ['PATCH /v1/store/orders/1', [json], '{"status":"completed"}'],
  ['GET /v1/store/inventory', [], ''],
  ['GET /v1/categories', [], ''],
  ['POST /v1/categories', [json], '{"name":"Dogs"}'],
  ['GET /v1/categories/1', [], ''],
  ['PUT /v1/categories/1', [json], '{"name":"Dogs"}'],
  ['DELETE /v1/categories/1', [], ''],
  ['GET /v1/events', [], ''],
  ['GET /v1/events', ['Accept: text/event-stream'], ''],
] as const) {
  test(`an unexpected error is internal, and only the observer gets its cause: ${[start, ...headers].join(' ')}`, async (t) => {
    const app = await startApp(t, { storage: await storageThatFails(t) })

    const answer = await ask(app, start, headers, body)

    assertError(answer, 'internal')
    assert.doesNotMatch(answer.text, /SELECT|secret|srv|sqlite/)
    assert.match(String(app.failures[0]), /SELECT secret/)
  })
}

test('a header that cannot be written is in no response, and other requests are answered', async (t) => {
  const app = await startApp(t, { baseUrls: { production: 'https://šop.example/v1' } })

  await app.storage.pets.create({ name: 'Rex', categoryId: 1n })

  const read = await app.send('/v1/pets/1')
  const missing = await app.send('/v1/pets/2')
  const list = await app.send('/v1/pets')

  assertError(read, 'internal')
  assertError(missing, 'not_found')
  assert.equal(read.headers.get('link'), null)
  assert.equal(missing.headers.get('link'), null)
  assert.equal(typeof read.headers.get('sunset'), 'string')
  assert.match(String(app.failures), /header link/)
  assert.equal(list.status, 200)
})
