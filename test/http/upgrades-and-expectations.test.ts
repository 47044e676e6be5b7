import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawRequest, readAnswers, startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { json, rex, proper, listRepeatedly, responseTo, sendParts, chunked, keptOpen } from '../support/raw-requests.ts'

for (const [start, body] of [
  ['GET /v1/pets', ''],
  ['POST /v1/pets', rex],
] as const) {
  test(`an unknown expectation is refused: ${start}`, async (t) => {
    const app = await startApp(t)
    await listRepeatedly(app)

    const answer = await responseTo(app, rawRequest(start, [...proper(app), json, 'Expect: tea'], body))

    assertError(answer, 'expectation_failed')
    assert.equal((await app.send('/v1/pets')).text, '[]')
  })
}

for (const expectations of [['100-continue'], ['100-Continue'], ['100-continue', '100-continue'], ['100-continue, ']]) {
  test(`100-continue is supported: ${JSON.stringify(expectations)}`, async (t) => {
    const app = await startApp(t)
    const headers = [...proper(app), json, ...expectations.map((expectation) => `Expect: ${expectation}`)]

    const raw = await app.sendRaw(rawRequest('POST /v1/pets', headers, rex))

    assert.deepEqual(
      readAnswers(raw).map(({ status }) => status),
      [100, 201],
    )
  })
}

test('an empty Expect is ignored', async (t) => {
  const app = await startApp(t)
  const headers = [...proper(app), json, 'Expect:']

  const created = readAnswers(await app.sendRaw(rawRequest('POST /v1/pets', headers, rex)))
  const listed = readAnswers(await app.sendRaw(rawRequest('GET /v1/pets', headers)))

  assert.deepEqual(
    [...created, ...listed].map(({ status }) => status),
    [201, 200],
  )
})

for (const [name, start, headers, status] of [
  ['no key', 'POST /v1/pets', [json], 401],
  ['a read key', 'POST /v1/pets', [json], 403],
  ['an unknown path', 'POST /v1/nope', [json], 404],
  ['a wrong method', 'PUT /v1/pets', [json], 405],
  ['a body that is too large', 'POST /v1/pets', [json, 'Content-Length: 65537'], 413],
  ['a wrong media type', 'POST /v1/pets', ['Content-Type: text/plain'], 415],
  ['another expectation', 'POST /v1/pets', [json, 'Expect: tea'], 417],
  ['a body that is not read', 'DELETE /v1/pets/1', [], 404],
] as const) {
  test(`a client with 100-continue gets its refusal before it sends the body: ${name}`, async (t) => {
    const app = await startApp(t)
    const { secret } = await app.makeKey({ permission: status === 403 ? 'read' : 'write' })
    const authorization = status === 401 ? [] : [`Authorization: Bearer ${secret}`]
    const length = headers.some((header) => header.startsWith('Content-Length')) ? [] : ['Content-Length: 29']
    const all = ['Host: petstore', 'Expect: 100-continue', ...authorization, ...length, ...headers]

    const answer = await responseTo(app, rawRequest(start, all))

    assert.equal(answer.status, status)
    assert.equal(answer.headers.get('connection'), 'close')
  })
}

test('a chunked body is read completely', async (t) => {
  const app = await startApp(t)
  const head = rawRequest('POST /v1/pets', [...proper(app), json, 'Transfer-Encoding: chunked'])

  const answer = await responseTo(app, head + chunked(rex.slice(0, 5), rex.slice(5, 6), rex.slice(6)))

  assert.equal(answer.status, 201)
  assert.deepEqual(answer.body, { id: 1, name: 'Rex', categoryId: 1 })
})

test('CONNECT is refused: the service is not a proxy', async (t) => {
  const app = await startApp(t)

  const answer = await responseTo(app, rawRequest('CONNECT petstore.example:443', proper(app)))

  assertError(answer, 'method_not_allowed')
  assert.match(answer.headers.get('allow') ?? '', /\bGET\b/)
})

test('an Upgrade header is ignored', async (t) => {
  const app = await startApp(t)
  const [host, , authorization] = proper(app) as [string, string, string]
  const upgrade = rawRequest('GET /v1/pets', [host, authorization, 'Connection: Upgrade', 'Upgrade: h2c'])

  const raw = await sendParts(app, [upgrade, rawRequest('GET /v1/pets', proper(app))])

  assert.deepEqual(
    readAnswers(raw).map(({ status }) => status),
    [200, 200],
  )
})

for (const [start, body] of [
  ['GET /v1/pets', ''],
  ['POST /v1/pets', rex],
] as const) {
  const statuses = start.startsWith('GET') ? [200, 200] : [201, 200]
  const upgradeHeaders = ['Connection: Upgrade', 'Upgrade: h2c', json]

  test(`a connection is kept after an Upgrade header that is ignored: ${start}`, async (t) => {
    const app = await startApp(t)
    const upgrade = rawRequest(start, [...keptOpen(app), ...upgradeHeaders], body)

    const raw = await sendParts(app, [upgrade, rawRequest('GET /v1/pets', proper(app))])

    assert.deepEqual(
      readAnswers(raw).map(({ status }) => status),
      statuses,
    )
  })

  test(`a request that is read together with an Upgrade header is answered or can be repeated: ${start}`, async (t) => {
    const app = await startApp(t)
    const upgrade = rawRequest(start, [...keptOpen(app), ...upgradeHeaders], body)

    const answers = readAnswers(await app.sendRaw(upgrade + rawRequest('GET /v1/pets', keptOpen(app))))

    assert.deepEqual(
      answers.map(({ status }) => status),
      statuses.slice(0, 1),
    )
    assert.equal(answers[0]?.headers.get('connection'), 'close')
  })
}

for (const [form, header, body] of [
  ['a length', `Content-Length: ${rex.length}`, rex],
  ['chunks', 'Transfer-Encoding: chunked', chunked(rex)],
] as const) {
  test(`a request that is read together with the end of a body with ${form}, after an Upgrade header, can be repeated`, async (t) => {
    const app = await startApp(t)
    const upgrade = rawRequest('POST /v1/pets', [...keptOpen(app), 'Connection: Upgrade', 'Upgrade: h2c', json, header])

    const raw = await sendParts(app, [upgrade, body + rawRequest('GET /v1/pets', keptOpen(app))])

    assert.deepEqual(
      readAnswers(raw).map(({ status }) => status),
      [201],
    )
  })
}

test('a connection is kept after an Upgrade header and a body that arrives later', async (t) => {
  const app = await startApp(t)
  const length = `Content-Length: ${rex.length}`
  const upgrade = rawRequest('POST /v1/pets', [...keptOpen(app), 'Connection: Upgrade', 'Upgrade: h2c', json, length])

  const raw = await sendParts(app, [upgrade, rex, rawRequest('GET /v1/pets', proper(app))])

  assert.deepEqual(
    readAnswers(raw).map(({ status }) => status),
    [201, 200],
  )
})

test('a client with 100-continue is told to send a chunked body, and none that it has announced as empty', async (t) => {
  const app = await startApp(t)
  const headers = [...proper(app), json, 'Expect: 100-continue']
  const statuses = async (extra: string, body: string) =>
    readAnswers(await app.sendRaw(rawRequest('POST /v1/pets', [...headers, extra]) + body)).map(({ status }) => status)

  assert.deepEqual(await statuses('Transfer-Encoding: chunked', chunked(rex)), [100, 201])
  assert.deepEqual(await statuses('Content-Length: 0', ''), [400])
})

test('a client with 100-continue is told to send the largest body', async (t) => {
  const app = await startApp(t)
  const headers = [...proper(app), json, 'Expect: 100-continue']

  const raw = await app.sendRaw(rawRequest('POST /v1/pets', headers, rex.padEnd(65_536)))

  assert.deepEqual(
    readAnswers(raw).map(({ status }) => status),
    [100, 201],
  )
})

test('a client of HTTP/1.0 gets no 100: it would take it for the response', async (t) => {
  const app = await startApp(t)
  const request = rawRequest('POST /v1/pets', [...proper(app), json, 'Expect: 100-continue'], rex)

  const raw = await app.sendRaw(request.replace('HTTP/1.1', 'HTTP/1.0'))

  assert.deepEqual(
    readAnswers(raw).map(({ status }) => status),
    [201],
  )
})
