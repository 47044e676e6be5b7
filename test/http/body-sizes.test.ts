import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawRequest, readAnswers, startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { json, rex, proper, responseTo, chunked } from '../support/raw-requests.ts'

/** A path of the list, with a query, that is this long. */
function addressOf(length: number): string {
  return '/v1/pets?x='.padEnd(length, 'a')
}

test('a body of 64 KiB is accepted', async (t) => {
  const { create } = await startApp(t)

  const answer = await create(rex.padEnd(65_536))

  assert.equal(answer.status, 201)
})

test('a body larger than 64 KiB is refused by its Content-Length, before it arrives', async (t) => {
  const app = await startApp(t)

  const answer = await responseTo(app, rawRequest('POST /v1/pets', [...proper(app), json, 'Content-Length: 65537']))

  assertError(answer, 'payload_too_large')
})

test('a body larger than 64 KiB is refused if it arrives at once', async (t) => {
  const { create, send } = await startApp(t)

  const answer = await create(rex.padEnd(65_537))

  assertError(answer, 'payload_too_large')
  assert.equal((await send('/v1/pets')).text, '[]')
})

test('a chunked body larger than 64 KiB is refused', async (t) => {
  const app = await startApp(t)
  const head = rawRequest('POST /v1/pets', [...proper(app), json, 'Transfer-Encoding: chunked'])

  const answer = await responseTo(app, head + chunked(rex, ' '.repeat(65_536)))

  assertError(answer, 'payload_too_large')
})

test('chunks with endless extensions are refused', async (t) => {
  const app = await startApp(t)
  const head = rawRequest('POST /v1/pets', [...proper(app), json, 'Transfer-Encoding: chunked'])

  const answer = await responseTo(app, `${head}1;${'a'.repeat(20_000)}\r\n`)

  assertError(answer, 'payload_too_large')
})

for (const [name, start, headers, body, status] of [
  ['a wrong key', 'POST /v1/pets', ['Authorization: Bearer x', json], rex, 401],
  ['an unknown path', 'POST /v1/nope', [json], rex, 404],
  ['a wrong method', 'PUT /v1/pets', [json], rex, 405],
  ['a wrong media type', 'POST /v1/pets', ['Content-Type: text/plain'], rex, 415],
  ['a bad body', 'POST /v1/pets', [json], '{', 400],
  ['a bad parameter', 'GET /v1/pets?limit=0', [], '', 400],
  ['a broken escape', 'GET /v1/pets/%zz', [], '', 400],
  ['an unknown expectation', 'POST /v1/pets', [json, 'Expect: tea'], rex, 417],
  ['an address of 5 KiB', `GET ${addressOf(5_000)}`, [], '', 414],
] as const) {
  test(`a connection stays usable after an error, and the rest of the request is skipped: ${name}`, async (t) => {
    const app = await startApp(t)
    const authorization = status === 401 ? [] : [`Authorization: Bearer ${app.key}`]
    const refused = rawRequest(start, ['Host: petstore', ...authorization, ...headers], body)

    const raw = await app.sendRaw(refused + rawRequest('GET /v1/pets', proper(app)))

    assert.deepEqual(
      readAnswers(raw).map(({ status }) => status),
      [status, 200],
    )
  })
}
