import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ErrorCode } from '../../src/contract/error.ts'
import type { Permission } from '../../src/contract/operation.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { type Answer, rawRequest, readAnswers, shareApp, startApp } from '../support/app.ts'
import { sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

const sharedApp = shareApp()

type Fault = [name: string, start: string, headers?: string[], body?: string]

interface Gate {
  name: string
  code: ErrorCode
  /** The key that the requests come with. */
  permission?: Permission
  before: Fault[]
}

const json = 'Content-Type: application/json'
const plain = 'Content-Type: text/plain'
const coded = 'Content-Encoding: gzip'
// Announced and never sent: each of these is refused before a byte of the body is waited for.
const large = 'Content-Length: 65537'
const invalidIdempotencyKey = 'Idempotency-Key: ""'

const gates: Gate[] = [
  {
    name: 'authentication',
    code: 'unauthorized',
    before: [
      ['an unknown path', 'GET /v1/nope'],
      ['a wrong method', 'PUT /v1/pets'],
      ['the media type', 'POST /v1/pets', [plain], 'Rex'],
      ['the content coding', 'POST /v1/pets', [json, coded], '{}'],
      ['the size', 'POST /v1/pets', [json, large]],
      ['body syntax', 'POST /v1/pets', [json], '{'],
      ['body rules', 'POST /v1/pets', [json], '{}'],
      ['parameter rules', 'GET /v1/pets?limit=0'],
      ['a broken escape in the query', 'GET /v1/pets?status=%zz'],
      ['a broken escape in the path', 'GET /v1/pets/%zz'],
      ['a broken escape in an unknown path', 'GET /v1/nope%'],
      ['a broken escape below an escaped /v1', 'GET /%761/pets/%zz'],
      ['a broken escape in an absolute address', 'GET http://petstore/v1/pets/%zz'],
      ['an unknown id', 'GET /v1/pets/999'],
      ['an unknown id to change', 'PATCH /v1/pets/999', [json], '{}'],
      ['an unknown id to delete', 'DELETE /v1/pets/999'],
      ['a stream', 'GET /v1/events', ['Accept: text/event-stream']],
      ['a conflict', 'POST /v1/store/orders', [json], '{"petId":1}'],
      ['two media types', 'POST /v1/pets', [json, plain], '{}'],
      ['a precondition', 'DELETE /v1/pets/1', ['If-Match: "x"']],
      ['strict handling', 'GET /v1/pets?x=1', ['Prefer: handling=strict']],
    ],
  },
  {
    name: 'permission',
    code: 'forbidden',
    permission: 'read',
    before: [
      ['the media type', 'POST /v1/pets', [plain], 'Rex'],
      ['the size', 'POST /v1/pets', [json, large]],
      ['body syntax', 'POST /v1/pets', [json], '{'],
      ['body rules', 'POST /v1/pets', [json], '{}'],
      ['an unknown id to change', 'PATCH /v1/pets/999', [json], '{}'],
      ['an unknown id to delete', 'DELETE /v1/pets/999'],
      ['the media type of a change', 'PATCH /v1/pets/1', [plain], 'Rex'],
      ['a conflict', 'POST /v1/store/orders', [json], '{"petId":1}'],
      ['an unknown order', 'PATCH /v1/store/orders/999', [json], '{}'],
      ['body rules of a category', 'PUT /v1/categories/1', [json], '{}'],
      ['two media types', 'POST /v1/pets', [json, plain], '{}'],
      ['a precondition', 'DELETE /v1/pets/1', ['If-Match: "x"']],
      ['strict handling', 'DELETE /v1/pets/1?x=1', ['Prefer: handling=strict']],
    ],
  },
  {
    name: 'the path',
    code: 'not_found',
    permission: 'write',
    before: [
      ['the media type', 'POST /v1/nope', [plain], 'Rex'],
      ['the size', 'POST /v1/nope', [json, large]],
      ['body syntax', 'POST /v1/nope', [json], '{'],
      ['a broken escape in the query', 'GET /v1/nope?limit=%zz'],
    ],
  },
  {
    name: 'the method',
    code: 'method_not_allowed',
    permission: 'write',
    before: [
      ['the media type', 'PUT /v1/pets', [plain], 'Rex'],
      ['the size', 'PUT /v1/pets', [json, large]],
      ['body syntax', 'PUT /v1/pets', [json], '{'],
      ['parameter rules', 'PUT /v1/pets?limit=0'],
      ['an unknown id', 'POST /v1/pets/999', [json], '{}'],
    ],
  },
  {
    name: 'the media type',
    code: 'unsupported_media_type',
    permission: 'write',
    before: [
      ['the size', 'POST /v1/pets', [plain, large]],
      ['the size of a coded body', 'POST /v1/pets', [json, coded, large]],
      ['body syntax', 'POST /v1/pets', [plain], '{'],
      ['the syntax of a coded body', 'POST /v1/pets', [json, coded], '{'],
      ['body rules', 'POST /v1/pets', [plain], '{}'],
      ['parameter rules', 'POST /v1/pets', [plain, invalidIdempotencyKey], '{}'],
      ['an unknown id', 'PATCH /v1/pets/999', [plain], '{}'],
      ['an unknown order', 'PATCH /v1/store/orders/999', [plain], '{}'],
    ],
  },
  {
    name: 'the size',
    code: 'payload_too_large',
    permission: 'write',
    before: [
      ['body syntax', 'POST /v1/pets', [json], '{'.padEnd(65537)],
      ['body rules', 'POST /v1/pets', [json], '{}'.padEnd(65537)],
      ['parameter rules', 'POST /v1/pets', [json, invalidIdempotencyKey, large]],
    ],
  },
  {
    name: 'body syntax',
    code: 'invalid_body',
    permission: 'write',
    before: [
      ['parameter rules', 'POST /v1/pets', [json, invalidIdempotencyKey], '{'],
      ['parameter rules of a body that is no object', 'POST /v1/pets', [json, invalidIdempotencyKey], '[]'],
      ['parameter rules of an order', 'POST /v1/store/orders', [json, invalidIdempotencyKey], '{'],
      ['an unknown id', 'PATCH /v1/pets/999', [json], '{'],
      ['a precondition', 'PATCH /v1/pets/1', [json, 'If-Match: "x"'], '{'],
      ['strict handling of the query', 'POST /v1/pets?x=1', [json, 'Prefer: handling=strict'], '{'],
    ],
  },
  {
    name: 'body rules',
    code: 'invalid_body',
    permission: 'write',
    before: [
      ['strict handling of the query', 'POST /v1/pets?x=1', [json, 'Prefer: handling=strict'], '{}'],
      ['two Idempotency-Key headers', 'POST /v1/pets', [json, 'Idempotency-Key: a', 'Idempotency-Key: b'], '{}'],
      ['a precondition', 'PATCH /v1/pets/1', [json, 'If-Match: "x"'], '{"name":""}'],
      ['an unknown id', 'PATCH /v1/pets/999', [json], '{"name":""}'],
    ],
  },
]

for (const { name, code, permission, before } of gates) {
  for (const [fault, start, headers = [], body] of before) {
    test(`${name} is checked before ${fault}: ${start}`, async () => {
      const { sendRaw, makeKey } = await sharedApp()
      const { secret } = await makeKey({ permission: permission ?? 'write' })
      const key = permission === undefined ? [] : [`Authorization: Bearer ${secret}`]

      const raw = await sendRaw(rawRequest(start, ['Host: petstore', 'Connection: close', ...key, ...headers], body))

      const answers = readAnswers(raw)
      assert.equal(answers.length, 1)
      assertError(answers[0] as Answer, code)
    })
  }
}

test('body syntax is checked before body rules', async (t) => {
  const { create } = await startApp(t)

  const answer = await create('{"name":"","categoryId":1.5')

  assertError(answer, 'invalid_body')
  assert.doesNotMatch(answer.text, /categoryId|name/)
})

for (const [fault, headers] of [
  ['a missing key', [json]],
  ['a wrong media type', [plain]],
] as const) {
  test(`a request with an invalid HTTP body and ${fault} gets one response`, async () => {
    const { key, send, sendRaw } = await sharedApp()
    const authorization = fault === 'a missing key' ? [] : [`Authorization: Bearer ${key}`]
    await send('/v1/pets')

    const raw = await sendRaw(
      `${rawRequest('POST /v1/pets', ['Host: petstore', ...authorization, ...headers, 'Transfer-Encoding: chunked'])}zz\r\n`,
    )

    assert.equal(readAnswers(raw).length, 1, raw)
  })
}

async function failingStorage(t: TestContext): Promise<Storage> {
  const storage = await sqliteInMemory.open(t)
  const fail = () => Promise.reject(new Error('the disk is gone'))
  return {
    ...storage,
    pets: { ...storage.pets, list: fail, count: fail, find: fail, create: fail, update: fail, remove: fail },
  }
}

for (const [rule, start, body, first] of [
  ['parameter rules', 'GET /v1/pets?limit=0', '', 'invalid_parameter'],
  ['parameter rules', 'GET /v1/pets?cursor=x', '', 'invalid_parameter'],
  ['the id', 'GET /v1/pets/abc', '', 'not_found'],
  ['body syntax', 'POST /v1/pets', '{', 'invalid_body'],
  ['body rules', 'POST /v1/pets', '{}', 'invalid_body'],
  ['body rules', 'PATCH /v1/pets/1', '{"name":""}', 'invalid_body'],
  ['the id', 'PATCH /v1/pets/abc', '{}', 'not_found'],
  ['the id', 'DELETE /v1/pets/abc', '', 'not_found'],
] as const) {
  test(`${rule} are checked before the storage: ${start} ${body}`, async (t) => {
    const { key, sendRaw } = await startApp(t, { storage: await failingStorage(t) })
    const headers = ['Host: petstore', 'Connection: close', `Authorization: Bearer ${key}`]

    const raw = await sendRaw(rawRequest(start, body === '' ? headers : [...headers, json], body))

    assertError(readAnswers(raw)[0] as Answer, first)
  })
}

for (const [start, body] of [
  ['GET /v1/pets', ''],
  ['GET /v1/pets/1', ''],
  ['POST /v1/pets', '{"name":"Rex","categoryId":1}'],
  ['PATCH /v1/pets/1', '{}'],
  ['DELETE /v1/pets/1', ''],
] as const) {
  test(`the storage is the last gate: ${start}`, async (t) => {
    const { key, sendRaw } = await startApp(t, { storage: await failingStorage(t) })
    const headers = ['Host: petstore', 'Connection: close', `Authorization: Bearer ${key}`]

    const raw = await sendRaw(rawRequest(start, body === '' ? headers : [...headers, json], body))

    assertError(readAnswers(raw)[0] as Answer, 'internal')
  })
}
