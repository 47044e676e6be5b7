import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, rawRequest, readAnswers, startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { json, rex, proper, responseTo, sendParts, chunked, keptOpen } from '../support/raw-requests.ts'

test('a body without an end is refused before its key is looked at, and its connection closed', async (t) => {
  const app = await startApp(t)

  const answer = await responseTo(app, rawRequest('POST /v1/pets', ['Host: petstore', 'Transfer-Encoding: gzip'], rex))

  assertError(answer, 'invalid_request')
  assert.equal(answer.headers.get('connection'), 'close')
})

for (const codings of [
  ['gzip, chunked'],
  ['gzip', 'chunked'],
  ['identity, chunked'],
  ['chunked, chunked'],
  ['xchunked'],
  ['chunked;q=1'],
]) {
  test(`a Transfer-Encoding other than chunked is refused, and the connection closed: ${codings.join(' and ')}`, async (t) => {
    const app = await startApp(t)
    const headers = [...keptOpen(app), json, ...codings.map((coding) => `Transfer-Encoding: ${coding}`)]

    const answers = readAnswers(
      await app.sendRaw(rawRequest('POST /v1/pets', headers) + chunked(rex) + rawRequest('GET /v1/pets', proper(app))),
    )

    assert.equal(answers.length, 1)
    assertError(answers[0] as Answer, 'invalid_request')
    assert.equal(answers[0]?.headers.get('connection'), 'close')
    assert.equal(await app.storage.pets.count({}), 0n)
  })
}

test('the case of chunked, and spaces around it, do not count', async (t) => {
  const app = await startApp(t)

  const answer = await responseTo(
    app,
    rawRequest('POST /v1/pets', [...proper(app), json, 'Transfer-Encoding: \t Chunked ']) + chunked(rex),
  )

  assert.equal(answer.status, 201)
})

for (const [name, headers] of [
  ['one large header', [`X-Large: ${'a'.repeat(9_000)}`]],
  ['many small headers', Array.from({ length: 1_000 }, (_, index) => `X-${index}: abc`)],
] as const) {
  test(`headers above 8 KiB are refused: ${name}`, async (t) => {
    const app = await startApp(t)

    const answer = await responseTo(app, rawRequest('GET /v1/pets', [...proper(app), ...headers]))

    assertError(answer, 'headers_too_large')
  })
}

test('headers above 8 KiB get 431 if they arrive in pieces', async (t) => {
  const app = await startApp(t)
  const start = `GET /v1/pets HTTP/1.1\r\nHost: petstore\r\nX-Large: ${'a'.repeat(5_000)}`

  const raw = await sendParts(app, [start, 'a'.repeat(5_000)])

  assertError(readAnswers(raw)[0] as Answer, 'headers_too_large')
})

test('a connection is closed after a request of HTTP/1.0 with a Transfer-Encoding', async (t) => {
  const app = await startApp(t)
  const headers = [...keptOpen(app), 'Connection: keep-alive', json, 'Transfer-Encoding: chunked']
  const create = rawRequest('POST /v1/pets', headers).replace('HTTP/1.1', 'HTTP/1.0') + chunked(rex)

  const answers = readAnswers(await app.sendRaw(create + rawRequest('GET /v1/pets', proper(app))))

  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('connection')]),
    [[201, 'close']],
  )
})

test('a request that a gate refuses has one response, also if its body is broken in the same packet', async (t) => {
  const app = await startApp(t)
  const withoutKey = keptOpen(app).filter((header) => !header.startsWith('Authorization'))
  const headers = [...withoutKey, json, 'Transfer-Encoding: chunked']

  const answers = readAnswers(await app.sendRaw(`${rawRequest('POST /v1/pets', headers)}ZZ\r\n\r\n`))

  assert.equal(answers.length, 1)
  assertError(answers[0] as Answer, 'unauthorized')
})
