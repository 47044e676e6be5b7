import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, rawRequest, readAnswers, shareApp, startApp, type TestApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'

const sharedApp = shareApp()

const json = 'Content-Type: application/json'
const rex = '{"name":"Rex","categoryId":1,"status":"available"}'

async function ask(app: TestApp, start: string, headers: readonly string[], body = ''): Promise<Answer> {
  const usual = ['Host: petstore', 'Connection: close', `Authorization: Bearer ${app.key}`]
  return readAnswers(await app.sendRaw(rawRequest(start, [...usual, ...headers], body)))[0] as Answer
}

for (const [start, body] of [
  ['POST /v1/pets', rex],
  ['PATCH /v1/pets/1', '{}'],
  ['POST /v1/store/orders', '{"petId":1}'],
  ['PATCH /v1/store/orders/1', '{"status":"completed"}'],
  ['PUT /v1/categories/1', '{"name":"Dogs"}'],
] as const) {
  for (const other of ['application/json', 'text/plain', 'application/merge-patch+json']) {
    test(`two Content-Type headers are refused, ${other} as the second: ${start}`, async () => {
      const app = await sharedApp()

      for (const headers of [
        [json, `Content-Type: ${other}`],
        [`content-type: ${other}`, json],
      ]) {
        const answer = await ask(app, start, headers, body)
        assertError(answer, 'invalid_request')
        assert.match(answer.text, /Content-Type/)
      }
    })
  }
}

for (const [start, body] of [
  ['POST /v1/pets', rex],
  ['POST /v1/store/orders', '{"petId":1}'],
] as const) {
  test(`two Idempotency-Key headers are refused, even if equal, and nothing is added: ${start}`, async () => {
    const app = await sharedApp()

    for (const [one, other] of [
      ['a', 'b'],
      ['a', 'a'],
      ['"a"', '"b"'],
      ['', 'a'],
    ]) {
      const answer = await ask(app, start, [json, `Idempotency-Key: ${one}`, `idempotency-key: ${other}`], body)
      assertError(answer, 'invalid_request')
      assert.match(answer.text, /Idempotency-Key/)
    }
    assert.equal((await app.send('/v1/pets')).text, '[]')
  })
}

test('a header that an operation does not use may be repeated', async (t) => {
  const app = await startApp(t)
  await app.create(rex)

  const read = await ask(app, 'GET /v1/pets', [
    json,
    'Content-Type: text/plain',
    'Idempotency-Key: a',
    'Idempotency-Key: b',
  ])
  const removed = await ask(app, 'DELETE /v1/pets/1', [json, 'Content-Type: text/plain'])

  assert.deepEqual([read.status, removed.status], [200, 204])
})

test('two Last-Event-ID headers are refused', async (t) => {
  const app = await startApp(t)
  await app.create(rex)
  await app.create(rex)

  const answer = await ask(app, 'GET /v1/events', ['Accept: text/event-stream', 'Last-Event-ID: 1', 'Last-Event-ID: 1'])

  assertError(answer, 'invalid_parameter')
  assert.match(answer.text, /Last-Event-ID/)
})

test('two X-Request-Id headers are ignored', async (t) => {
  const app = await startApp(t)

  const answer = await ask(app, 'GET /v1/pets', ['X-Request-Id: a', 'X-Request-Id: b'])

  assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f]{12}-\w+$/)
})

test('two Origin headers are not allowed by CORS', async (t) => {
  const app = await startApp(t, { corsOrigins: ['https://shop.example'] })

  const answer = await ask(app, 'GET /v1/pets', ['Origin: https://shop.example', 'Origin: https://shop.example'])

  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('access-control-allow-origin'), null)
})

for (const [name, lines] of Object.entries({
  'If-None-Match': ['If-None-Match: "x"', 'If-None-Match: *'],
  Accept: ['Accept: text/html', 'Accept: application/json'],
  'Accept-Encoding': ['Accept-Encoding: gzip', 'Accept-Encoding: br'],
})) {
  test(`a list header may be repeated: ${name}`, async () => {
    const app = await sharedApp()

    const answer = await ask(app, 'GET /v1/pets', lines)

    assert.equal(answer.status, 200, answer.text)
  })
}

test('Prefer may be repeated', async (t) => {
  const app = await startApp(t)
  await app.create(rex)

  const answer = await ask(app, 'GET /v1/pets', ['Prefer: respond-async', 'Prefer: count=exact'])

  assert.equal(answer.headers.get('x-total-count'), '1')
})
