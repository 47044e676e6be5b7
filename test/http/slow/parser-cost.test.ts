import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import type { TObject } from 'typebox'
import { checker } from '../../../src/contract/checker.ts'
import { headersOf } from '../../../src/contract/document/openapi-operations.ts'
import { parseJson } from '../../../src/contract/json.ts'
import { operations } from '../../../src/contract/operations/operations.ts'
import { decodePosition } from '../../../src/contract/position.ts'
import { acceptedCoding } from '../../../src/http/replies/content-coding.ts'
import { decodeCursor, decodeKeyedCursor } from '../../../src/http/replies/cursor.ts'
import { isKnown } from '../../../src/http/replies/etag.ts'
import { loggablePath } from '../../../src/http/replies/observe.ts'
import { acceptsGzip, prefersEventStream } from '../../../src/http/request/accept.ts'
import { pathOf } from '../../../src/http/request/target.ts'
import { networkOf } from '../../../src/http/request/client-network.ts'
import { headerHashes } from '../../../src/http/request/header-hashes.ts'
import { isHost } from '../../../src/http/request/host.ts'
import { parseIdempotencyKey } from '../../../src/http/request/idempotency-key.ts'
import { parseObject } from '../../../src/http/request/json-object.ts'
import { preconditionOf } from '../../../src/http/request/precondition.ts'
import { preferencesOf } from '../../../src/http/request/prefer.ts'
import { parseQuery } from '../../../src/http/request/query.ts'
import { readHeaders } from '../../../src/http/request/request-headers.ts'
import { requestIdFrom } from '../../../src/http/request/request-id.ts'
import { hasMoreSpaces, isWrittenUsually } from '../../../src/http/server/read-bytes.ts'
import { answerUnknownMethod } from '../../../src/http/server/unknown-method.ts'
import { csv } from '../../../src/transfer/formats/csv.ts'
import type { Format } from '../../../src/transfer/formats/format.ts'
import { ndjson } from '../../../src/transfer/formats/ndjson.ts'
import { shareApp } from '../../support/app.ts'
import { assertLinearParser } from '../../support/cpu-cost.ts'

/** Reads a text of a client. `starts` lead into the later parts of the parser. */
interface Parser {
  parse: (text: string) => unknown
  starts?: readonly string[]
}

const withHeader = (name: string, value: string) => ({ headers: readHeaders([name, value]) })

const headers: Record<string, Parser> = {
  Accept: { parse: prefersEventStream, starts: ['text/event-stream', 'text/event-stream;q', '*/*;q='] },
  'Accept-Encoding': {
    parse: (text) => [acceptedCoding(text), acceptsGzip(text)],
    starts: ['identity', 'gzip;q', 'gzip;q='],
  },
  Authorization: { parse: headerHashes('production'), starts: ['bearer', 'Bearer ', 'Bearer pet_live_'] },
  Host: { parse: isHost, starts: ['[', '[::', 'a:'] },
  'Idempotency-Key': { parse: (text) => parseIdempotencyKey(text, '', ''), starts: ['"', '"a"', '"a";b', '"a";b="'] },
  'If-Match': { parse: (text) => preconditionOf(withHeader('if-match', text)), starts: ['"a",', 'W/"'] },
  'If-None-Match': {
    parse: (text) => [
      preconditionOf(withHeader('if-none-match', text)),
      isKnown(withHeader('if-none-match', text), '"a"'),
    ],
    starts: ['"a",', 'W/"'],
  },
  'Last-Event-ID': { parse: decodePosition, starts: ['1', '1-'] },
  Prefer: { parse: (text) => preferencesOf(withHeader('prefer', text)), starts: ['a', 'a=', 'a="', 'a="b"', 'a=b;'] },
  'X-Request-Id': { parse: (id) => requestIdFrom({ 'x-request-id': id, authorization: undefined }), starts: ['pet_'] },
}

test('every header of the document is in the table', () => {
  const described = operations.flatMap(({ parameters }) => Object.keys(headersOf(parameters?.header).properties))

  assert.deepEqual(
    described.filter((name) => headers[name] === undefined),
    [],
  )
})

const texts: Record<string, Parser> = {
  'a query': { parse: parseQuery, starts: ['a', 'a='] },
  'an address': { parse: (text) => [pathOf(text), loggablePath(text)], starts: ['http://', '/', 'pet_live_'] },
  'a cursor': { parse: (text) => decodeCursor(text, '') },
  'a cursor of a list by name': { parse: (text) => decodeKeyedCursor(text, '') },
  'an address of a client': { parse: networkOf, starts: ['::ffff:', '1::', 'fe80::1%'] },
  'bytes that are read with a request': {
    parse: (text) => [hasMoreSpaces(requestAmong(text), text), isWrittenUsually(requestAmong(text), text)],
    starts: ['GET /v1/pets', 'GET ', 'GET  /v1/pets'],
  },
  'a body': {
    parse: (text) => parseObject(Buffer.from(text)),
    starts: ['{"a":"', '{"a":1', '{"a":[', '{"\\ud83d'],
  },
  'a number in JSON': { parse: parseJson, starts: ['0.', '1e', '-', '10'] },
  'a CSV file': { parse: (text) => readFile(csv, text), starts: ['name,categoryId\n', 'name,categoryId\n"'] },
  'an NDJSON file': { parse: (text) => readFile(ndjson, text), starts: ['{"name":"'] },
}

const parsers: Record<string, Parser> = { ...headers, ...texts }

for (const { id, parameters = {}, body } of operations) {
  for (const schema of [parameters.path, parameters.query]) addFields(id, schema, 'text')
  addFields(id, body as TObject | undefined, 'json')
}

/** The rules of the schemas. */
function addFields(id: string, schema: TObject | undefined, source: 'json' | 'text'): void {
  for (const name of Object.keys(schema?.properties ?? {})) {
    const check = checker(schema as TObject, source)
    parsers[`${name} of ${id}`] = { parse: (text) => check({ [name]: text, [`x${text}`]: '' }, true) }
  }
}

for (const [name, { parse, starts }] of Object.entries(parsers)) {
  test(`reading a text takes no more than twice as long if it is twice as long: ${name}`, async () => {
    await assertLinearParser(parse, starts)
  })
}

/** With everything that a deployment can turn on. */
const sharedApp = shareApp({ trustProxy: ['127.0.0.1', '10.0.0.0/8'], rateLimit: 1e9, corsOrigins: ['https://a.test'] })

function requestWith(start: string, header: string): Parser['parse'] {
  const [method = '', url = ''] = start.split(' ')
  return async (text) => {
    const { app, key } = await sharedApp()
    const rawHeaders = ['host', 'petstore', 'authorization', `Bearer ${key}`, header, text]
    return app.inject({ method, url, rawHeaders, remoteAddress: '127.0.0.1' })
  }
}

/** Whole requests, for what the libraries read. */
const requests: Record<string, Parser> = {
  'a path': {
    async parse(text) {
      const { app, key } = await sharedApp()
      const rawHeaders = ['host', 'petstore', 'authorization', `Bearer ${key}`]
      return app.inject({ method: 'GET', url: encodeURI(text), rawHeaders })
    },
    starts: ['/v1/pets/', '/v1/pets?name='],
  },
  'Content-Type of JSON': {
    parse: requestWith('POST /v1/pets', 'content-type'),
    starts: ['application/json', 'application/json;charset='],
  },
  'Content-Type of a file': { parse: requestWith('POST /v1/pets/import', 'content-type'), starts: ['text/csv;'] },
  'Content-Type of no body': { parse: requestWith('POST /v1/keys/a/revoke', 'content-type'), starts: ['a/b;'] },
  Expect: { parse: requestWith('POST /v1/pets', 'expect'), starts: ['100-continue'] },
  Origin: { parse: requestWith('OPTIONS /v1/pets', 'origin') },
  'X-Forwarded-For': { parse: requestWith('GET /v1/pets', 'x-forwarded-for'), starts: ['127.0.0.1,', '::'] },
  'X-Forwarded-Host': { parse: requestWith('GET /v1/pets', 'x-forwarded-host') },
  'X-Forwarded-Proto': { parse: requestWith('GET /v1/pets', 'x-forwarded-proto') },
  'bytes before an unknown method': {
    parse: (text) => unknownMethod(Buffer.from(text), Buffer.from(' FOO /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n')),
  },
  'bytes of an unknown method': {
    parse: (text) => unknownMethod(Buffer.alloc(0), Buffer.from(text)),
    starts: ['FOO ', 'FOO /', 'FOO / HTTP/1.1\r\n', 'FOO / HTTP/1.1\r\nHost: a\r\n'],
  },
}

for (const [name, { parse, starts }] of Object.entries(requests)) {
  test(`a request takes no more than twice as long if a part is twice as long: ${name}`, async () => {
    await assertLinearParser(parse, starts)
  })
}

/** The parser has read `before` and does not know the method that follows. */
async function unknownMethod(before: Buffer, request: Buffer): Promise<unknown> {
  const { app } = await sharedApp()
  const rawPacket = Buffer.concat([before, request])
  const error = Object.assign(new Error(), { code: 'HPE_INVALID_METHOD', rawPacket, bytesParsed: before.length + 1 })
  return answerUnknownMethod(app.inject, error)
}

/** A request that Node's parser has found in these bytes. */
function requestAmong(text: string): IncomingMessage {
  const parser = { getCurrentBuffer: () => Buffer.from(text) }
  return { method: 'GET', url: '/v1/pets', httpVersion: '1.1', socket: { parser } } as never
}

/** In pieces, as a file arrives. */
function readFile({ reader }: Format, text: string): void {
  const { push, end } = reader()
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 1_024) Array.from(push(bytes.subarray(at, at + 1_024)))
  Array.from(end())
}
