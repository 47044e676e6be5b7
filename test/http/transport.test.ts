import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { type Answer, rawRequest, readAnswers, startApp, type TestApp } from '../support/app.ts'
import { certificate } from '../support/certificates.ts'
import { sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

const json = 'Content-Type: application/json'
const rex = '{"name":"Rex","categoryId":1}'

/** The headers of a request that is fine, and the last on its connection. */
function proper({ key }: TestApp): string[] {
  return ['Host: petstore', 'Connection: close', `Authorization: Bearer ${key}`]
}

/** Lists often enough for the answer to come from memory. */
async function listRepeatedly(app: TestApp): Promise<void> {
  for (let times = 0; times < 3; times++) await app.sendRaw(rawRequest('GET /v1/pets', proper(app)))
}

/** The one answer to these bytes. */
async function responseTo(app: TestApp, bytes: string | Buffer): Promise<Answer> {
  const answers = readAnswers(await app.sendRaw(bytes))
  assert.equal(answers.length, 1)
  return answers[0] as Answer
}

/** Sends each part only when the service has read all before it, as a slow network would. */
async function sendParts({ app }: TestApp, parts: readonly string[], ca?: string | Buffer): Promise<string> {
  const { port } = app.server.address() as AddressInfo
  const accepted = once(app.server, ca === undefined ? 'connection' : 'secureConnection')
  const socket = ca === undefined ? connect(port, '127.0.0.1') : connectTls({ port, host: '127.0.0.1', ca })
  const closed = once(socket, 'close')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  const [peer] = (await accepted) as [Socket]
  for (const part of parts) {
    const readBefore = peer.bytesRead
    socket.write(part)
    while (peer.bytesRead < readBefore + part.length && !peer.destroyed) await setImmediate()
  }
  await closed
  return received
}

function chunked(...chunks: string[]): string {
  return [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')
}

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

for (const [name, bytes] of Object.entries(malformed)) {
  test(`malformed HTTP gets an error in the usual form: ${name}`, async (t) => {
    const app = await startApp(t)

    const answer = await responseTo(app, bytes(app))

    assertError(answer, 'invalid_request')
  })
}

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

test('a request of HTTP/1.1 without a Host is refused', async (t) => {
  const app = await startApp(t)

  const answer = await responseTo(app, rawRequest('GET /v1/pets', proper(app).slice(1)))

  assertError(answer, 'invalid_request')
})

test('a request with two Hosts is refused', async (t) => {
  const app = await startApp(t)
  await listRepeatedly(app)

  const answer = await responseTo(app, rawRequest('GET /v1/pets', [...proper(app), 'Host: petstore']))

  assertError(answer, 'invalid_request')
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

/** A path of the list, with a query, that is this long. */
function addressOf(length: number): string {
  return '/v1/pets?x='.padEnd(length, 'a')
}

test('an address of 4 KiB is accepted', async (t) => {
  const app = await startApp(t)

  const answer = await responseTo(app, rawRequest(`GET ${addressOf(4_096)}`, proper(app)))

  assert.equal(answer.status, 200)
})

for (const length of [4_097, 7_900, 8_193, 9_000, 20_000]) {
  test(`a longer address is refused: ${length} characters`, async (t) => {
    const app = await startApp(t)

    const answer = await responseTo(app, rawRequest(`GET ${addressOf(length)}`, proper(app)))

    assertError(answer, 'uri_too_long')
  })
}

test('a longer address gets 414 if it arrives in pieces', async (t) => {
  const app = await startApp(t)
  const request = rawRequest(`GET ${addressOf(10_000)}`, proper(app))

  const raw = await sendParts(app, [request.slice(0, 6_000), request.slice(6_000)])

  assertError(readAnswers(raw)[0] as Answer, 'uri_too_long')
})

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

/** The headers of a request after which the connection stays open. */
function keptOpen(app: TestApp): string[] {
  return proper(app).filter((header) => !header.startsWith('Connection'))
}

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

const slow: Record<string, (app: TestApp) => string> = {
  headers: () => 'GET /v1/pets HTTP/1.1\r\nHost: petstore\r\n',
  'a body': (app) =>
    rawRequest('POST /v1/pets', [...proper(app), json, `Content-Length: ${rex.length}`]) + rex.slice(1),
}

for (const [part, bytes] of Object.entries(slow)) {
  test(`a request that takes too long to arrive is refused: ${part}`, async (t) => {
    const app = await startApp(t, { connectionLimits: { bodyTimeoutMs: 50 } })
    app.app.server.headersTimeout = 50

    const answer = await responseTo(app, bytes(app))

    assertError(answer, 'request_timeout')
  })
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

for (const host of [
  'a b',
  'u@evil',
  'a, b',
  'a,b',
  'a:b',
  'a:-1',
  'a:65536',
  'a:1:2',
  ':80',
  '::1',
  '[::1',
  '[::1]x',
  '[::g]',
  '[]',
  'a/b',
  'http://a',
  'a?b',
  'é',
]) {
  test(`an invalid Host is refused: ${host}`, async (t) => {
    const app = await startApp(t)
    const [, ...headers] = proper(app)

    const answers = [
      await responseTo(app, rawRequest('GET /v1/pets', [`Host: ${host}`, ...headers])),
      await responseTo(app, rawRequest('GET http://petstore/v1/pets', [`Host: ${host}`, ...headers])),
    ]

    for (const answer of answers) assertError(answer, 'invalid_request')
  })
}

for (const host of [
  'petstore',
  'PetStore.example.',
  'pet_store:8080',
  '127.0.0.1:0',
  '[::1]',
  '[::1]:65535',
  'a:',
  '',
]) {
  test(`a valid Host is accepted: ${host}`, async (t) => {
    const app = await startApp(t)
    const [, ...headers] = proper(app)

    const answer = await responseTo(app, rawRequest('GET /v1/pets', [`Host: ${host}`, ...headers]))

    assert.equal(answer.status, 200)
  })
}

for (const method of ['GET', 'POST']) {
  test(`the address * is allowed only for OPTIONS: ${method}`, async (t) => {
    const app = await startApp(t)

    assertError(await responseTo(app, rawRequest(`${method} *`, proper(app))), 'invalid_request')
  })
}

test('links use the authority of an absolute address, whatever Host says', async (t) => {
  const app = await startApp(t)
  await app.create(rex)
  await app.create(rex)
  const asked = async (address: string) => {
    const answer = await responseTo(app, rawRequest(`GET ${address}`, proper(app)))
    assert.equal(answer.status, 200)
    return /<(.*?)\?/.exec(answer.headers.get('link') ?? '')?.[1]
  }

  // Often enough for a cached answer, which must not be given to the other of them.
  for (let times = 0; times < 3; times++) {
    assert.equal(await asked('http://other.example:81/v1/pets?limit=1'), 'http://other.example:81/v1/pets')
    assert.equal(await asked('/v1/pets?limit=1'), 'http://petstore/v1/pets')
    assert.equal(await asked('HTTP://third/v1/pets?limit=1'), 'http://third/v1/pets')
  }
})

test('an absolute address needs no path', async (t) => {
  const app = await startApp(t)

  const answers = [
    await responseTo(app, rawRequest('GET http://petstore', proper(app))),
    await responseTo(app, rawRequest('GET http://petstore?x', proper(app))),
  ]

  assert.deepEqual(
    answers.map(({ headers }) => headers.get('content-type')),
    ['text/html; charset=utf-8', 'text/html; charset=utf-8'],
  )
})

for (const [name, address, headers] of [
  ['no Host', 'http://petstore/v1/pets', []],
  ['two Hosts', 'http://petstore/v1/pets', ['Host: petstore', 'Host: petstore']],
  ['a user in the address', 'http://user:secret@petstore/v1/pets', ['Host: petstore']],
  ['a port that is none', 'http://petstore:x/v1/pets', ['Host: petstore']],
] as const) {
  test(`an absolute address with ${name} is refused`, async (t) => {
    const app = await startApp(t)

    const answer = await responseTo(app, rawRequest(`GET ${address}`, [...headers, ...proper(app).slice(1)]))

    assertError(answer, 'invalid_request')
    assert.ok(!JSON.stringify(app.answered).includes('secret'))
  })
}
