import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { type Answer, rawRequest, readAnswers, startApp, type TestApp } from '../support/app.ts'
import { certificate } from '../support/certificates.ts'
import { sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { json, rex, proper, listRepeatedly, responseTo, sendParts, keptOpen } from '../support/raw-requests.ts'

const malformed: Record<string, (app: TestApp) => string | Buffer> = {
  'no request line': () => 'hello\r\n\r\n',
  'the first bytes of TLS': () => Buffer.from('16030100f7010000f303030000', 'hex'),
  'an unknown version of HTTP': (app) => rawRequest('GET /v1/pets', proper(app)).replace('HTTP/1.1', 'HTTP/9.9'),
  'a path with a raw letter beyond ASCII': (app) => rawRequest('GET /v1/pets/é', proper(app)),
  'a path without a slash': (app) => rawRequest('GET v1/pets', proper(app)),
  'a header without a colon': (app) => rawRequest('GET /v1/pets', [...proper(app), 'colon']),
  'a space before the colon': (app) => rawRequest('GET /v1/pets', [...proper(app), 'Prefer : count=exact']),
  'a NUL in a header': (app) => rawRequest('GET /v1/pets', [...proper(app), 'Prefer: \0']),
  'lines without a carriage return': (app) => rawRequest('GET /v1/pets', proper(app)).replaceAll('\r', ''),
  'a length that is no number': (app) => rawRequest('POST /v1/pets', [...proper(app), json, 'Content-Length: abc']),
  'a negative length': (app) => rawRequest('POST /v1/pets', [...proper(app), json, 'Content-Length: -1']),
  'two lengths': (app) => rawRequest('POST /v1/pets', [...proper(app), json, 'Content-Length: 1'], rex),
  'a length and chunks': (app) =>
    rawRequest('POST /v1/pets', [...proper(app), json, 'Transfer-Encoding: chunked'], rex),
  'an unknown transfer coding': (app) =>
    rawRequest('POST /v1/pets', [...proper(app), json, 'Transfer-Encoding: x'], rex),
  'a chunk without a size': (app) =>
    `${rawRequest('POST /v1/pets', [...proper(app), json, 'Transfer-Encoding: chunked'])}zz\r\n`,
  'a chunk longer than its size': (app) =>
    `${rawRequest('POST /v1/pets', [...proper(app), json, 'Transfer-Encoding: chunked'])}1\r\n{}\r\n0\r\n\r\n`,
}

const slow: Record<string, (app: TestApp) => string> = {
  headers: () => 'GET /v1/pets HTTP/1.1\r\nHost: petstore\r\n',
  'a body': (app) =>
    rawRequest('POST /v1/pets', [...proper(app), json, `Content-Length: ${rex.length}`]) + rex.slice(1),
}

for (const [name, bytes] of Object.entries(malformed)) {
  test(`malformed HTTP gets an error in the usual form: ${name}`, async (t) => {
    const app = await startApp(t)

    const answer = await responseTo(app, bytes(app))

    assertError(answer, 'invalid_request')
  })
}

for (const [name, change] of Object.entries({
  'no version': (request: string) => request.replace(' HTTP/1.1', ''),
  'another version': (request: string) => request.replace('HTTP/1.1', 'HTTP/2.0'),
  'a fragment': (request: string) => request.replace(' HTTP', '#a HTTP'),
  'a fragment after a query': (request: string) => request.replace(' HTTP', '?a=b#c HTTP'),
  'two spaces before the address': (request: string) => request.replace(' ', '  '),
  'two spaces before the version': (request: string) => request.replace(' HTTP', '  HTTP'),
  'an empty line before it and two spaces': (request: string) => `\r\n${request.replace(' ', '  ')}`,
})) {
  for (const method of ['GET', 'POST', 'BREW']) {
    test(`a request line with ${name} is refused: ${method}`, async (t) => {
      const app = await startApp(t)
      await listRepeatedly(app)
      const request = rawRequest(`${method} /v1/pets`, [...proper(app), json], method === 'POST' ? rex : '')

      const answer = await responseTo(app, change(request))

      assertError(answer, 'invalid_request')
      assert.equal((await app.send('/v1/pets')).text, '[]')
    })
  }

  test(`a request line with ${name} is refused behind another request`, async (t) => {
    const app = await startApp(t)
    const request = change(rawRequest('GET /v1/pets?limit=1', proper(app)))

    const answers = readAnswers(await app.sendRaw(rawRequest('GET /v1/pets', keptOpen(app)) + request))

    assert.equal(answers.length, 2)
    assert.equal(answers[0]?.status, 200)
    assertError(answers[1] as Answer, 'invalid_request')
  })
}

for (const secure of [false, true]) {
  test(`a request line with two spaces is refused in pieces of any size${secure ? ', with TLS' : ''}`, async (t) => {
    const tls = certificate('first')
    const app = await startApp(t, secure ? { certificate: tls } : {})
    const request = rawRequest('GET /v1/pets', proper(app))
    for (const size of [1, 5, 30]) {
      for (const line of [
        request.replace(' ', '  '),
        request.replace(' HTTP', '  HTTP'),
        request,
        request.replaceAll(': ', ':'),
      ]) {
        const pieces = line.match(new RegExp(`[^]{1,${size}}`, 'g')) as string[]
        const [answer] = readAnswers(await sendParts(app, pieces, secure ? tls.cert : undefined))
        assert.equal(answer?.status, line.startsWith('GET /v1/pets HTTP') ? 200 : 400, line)
      }
    }
  })
}

test('a request line that arrives in pieces is accepted', async (t) => {
  const app = await startApp(t)

  const raw = await sendParts(app, ['GET /v1/', 'pets HTTP/1.1\r\n', rawRequest('GET /', proper(app)).slice(16)])

  assert.equal(readAnswers(raw)[0]?.status, 200)
})

for (const [part, bytes] of Object.entries(slow)) {
  test(`a request that takes too long to arrive is refused: ${part}`, async (t) => {
    const app = await startApp(t, { connectionLimits: { bodyTimeoutMs: 50 } })
    app.app.server.headersTimeout = 50

    const answer = await responseTo(app, bytes(app))

    assertError(answer, 'request_timeout')
  })
}

test('pipelined requests are answered in order, also refused ones', async (t) => {
  const app = await startApp(t)
  const authorization = `Authorization: Bearer ${app.key}`
  const requests = [
    rawRequest('POST /v1/pets', ['Host: petstore', authorization, json], rex),
    rawRequest('GET /v1/nope', ['Host: petstore', authorization]),
    rawRequest('GET /v1/pets?status=sold', ['Host: petstore', authorization]),
    rawRequest('GET /v1/pets', ['Host: petstore']),
    rawRequest('GET /v1/pets', proper(app)),
  ]

  const raw = await app.sendRaw(requests.join(''))

  assert.deepEqual(
    readAnswers(raw).map(({ status }) => status),
    [201, 404, 200, 401, 200],
  )
})

test('an unreadable request does not affect the response before it', async (t) => {
  const app = await startApp(t)
  const create = rawRequest('POST /v1/pets', ['Host: petstore', `Authorization: Bearer ${app.key}`, json], rex)

  const raw = await app.sendRaw(`${create}hello\r\n\r\n`)

  assert.equal(readAnswers(raw)[0]?.status, 201)
})

test('a client that sends CONNECT and disconnects causes no error', async (t) => {
  const app = await startApp(t)
  const { port } = new URL(app.origin)

  for (let count = 0; count < 20; count++) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')
    if (count % 2 === 0) await once(socket, 'data')
    socket.resetAndDestroy()
  }

  assert.equal((await app.send('/v1/pets')).status, 200)
})

test('a fault in the body of a request is answered after the request before it', async (t) => {
  const app = await startApp(t, { engine: sqlite })
  const keepOpen = proper(app).filter((header) => !header.startsWith('Connection'))
  const broken = ['Transfer-Encoding: chunked', json]
  const bytes =
    rawRequest('POST /v1/pets', [...keepOpen, json], rex) +
    rawRequest('POST /v1/pets', [...keepOpen, ...broken]) +
    'ZZ\r\n'

  const answers = readAnswers(await app.sendRaw(bytes))

  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 400],
  )
})

for (const [before, start, body] of [
  ['a list', 'GET /v1/pets', ''],
  ['a create', 'POST /v1/pets', rex],
] as const) {
  for (const [name, authorize, status] of [
    ['its own key', true, 405],
    ['none', false, 401],
  ] as const) {
    test(`an unknown method in the packet of ${before} is authenticated by ${name}`, async (t) => {
      const app = await startApp(t)
      const [host, , authorization] = proper(app) as [string, string, string]
      const first = rawRequest(start, [host, authorization, json], body)
      const second = rawRequest('BREW /v1/pets', authorize ? [host, authorization] : [host])

      const answers = readAnswers(await app.sendRaw(first + second))

      assert.deepEqual(
        answers.map((answer) => answer.status),
        [start.startsWith('GET') ? 200 : 201, status],
      )
    })
  }
}

for (const method of ['F', 'FOO', 'GE', 'GETS', 'PATCHES', 'get']) {
  test(`an unknown method behind a large body is answered: ${method}`, async (t) => {
    const app = await startApp(t)
    const first = rawRequest('POST /livez', ['Host: petstore'], 'a'.repeat(62_000))

    const answers = readAnswers(await app.sendRaw(first + rawRequest(`${method} /v1/pets`, proper(app))))

    assert.equal(answers.length, 2)
    for (const answer of answers) assertError(answer, 'method_not_allowed')
  })
}

test('an error before the gates looks like any other, with a Date header', async (t) => {
  const app = await startApp(t)

  const answer = await responseTo(app, 'hello\r\n\r\n')

  assert.equal(answer.headers.get('connection'), 'close')
  assert.ok(Date.parse(answer.headers.get('date') ?? '') > 0)
})

test('requests after Connection: close get no response', async (t) => {
  const app = await startApp(t)
  const last = rawRequest('GET /v1/pets', proper(app))

  for (let round = 0; round < 20; round++) {
    const answers = readAnswers(await app.sendRaw(last + last))

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200],
    )
  }
})
