import { operations } from '../../src/contract/operations/operations.ts'
import type { RawRequest } from './exchange.ts'
import { rawRequest } from './raw-request.ts'

const apiPaths = [...new Set(operations.map(({ path }) => `/v1${path.replace(/\{\w+\}/, '1')}`))]
const pages = ['/docs', '/openapi.json', '/asyncapi.json', '/arazzo.yaml', '/llms.txt', '/.well-known/api-catalog']

/** Paths and methods. */
export const paths: readonly RawRequest[] = [
  ...apiPaths.flatMap((path) => [
    rawRequest(`${path}: OPTIONS`, `OPTIONS ${path}`),
    rawRequest(`${path}: preflight`, `OPTIONS ${path}`, { key: '', headers: ['Access-Control-Request-Method: PATCH'] }),
    rawRequest(`${path}: wrong method`, `TRACE ${path}`),
    rawRequest(`${path}: unknown method`, `BREW ${path}`),
    rawRequest(`${path}: unknown method without a key`, `BREW ${path}`, { key: '' }),
    rawRequest(`${path}: PUT or DELETE`, `${path.endsWith('/1') ? 'POST' : 'DELETE'} ${path}`),
  ]),
  ...['/v1/pets/', '/v1/Pets', '/v1/nope', '/v1', '/v1/', '/nope', '/%761/pets', '/v1//pets', '/v1/../v1/pets'].flatMap(
    (path) => [
      rawRequest(`path ${path}`, `GET ${path}`),
      rawRequest(`path ${path} without a key`, `GET ${path}`, { key: '' }),
      rawRequest(`path ${path}, POST`, `POST ${path}`, { headers: ['Content-Type: application/json'], body: '{' }),
    ],
  ),
  rawRequest('escaped id', 'GET /v1/pets/%31'),
  rawRequest('escaped query', 'GET /v1/pets?st%61tus=s%6Fld&limit=2'),
  rawRequest('broken escape in a query', 'GET /v1/pets?status=%zz'),
  rawRequest('broken escape outside the API', 'GET /%zz', { key: '' }),
  rawRequest('second page of one', 'GET /v1/pets?limit=1&status=sold'),
  rawRequest('search', 'GET /v1/pets?name=zoe'),
  rawRequest('one by its id', 'GET /v1/pets?id=3'),
  rawRequest('events, newest first', 'GET /v1/events?sort=-id&limit=2'),
  rawRequest('events from a lost position', 'GET /v1/events?after=1-AAAAAAAA'),
  rawRequest('event stream', 'GET /v1/events?after=0', { headers: ['Accept: text/event-stream'], ending: 'stream' }),
  rawRequest('event stream, HEAD', 'HEAD /v1/events?after=0', { headers: ['Accept: text/event-stream'] }),
  rawRequest('event stream without a key', 'GET /v1/events', { key: '', headers: ['Accept: text/event-stream'] }),
  ...['/livez', '/readyz', '/metrics'].map((path) => rawRequest(`GET ${path}`, `GET ${path}`, { key: '' })),
  rawRequest('POST /', 'POST /', { key: '', body: '{}' }),
  ...pages.flatMap((path) => [
    // Their bodies, made from documents and console/, have tests of their own.
    rawRequest(`HEAD ${path}`, `HEAD ${path}`, { key: '' }),
    rawRequest(`POST ${path}`, `POST ${path}`, { key: '', body: '{}' }),
    rawRequest(`OPTIONS ${path}`, `OPTIONS ${path}`, { key: '' }),
  ]),
]

const key = 'Authorization: Bearer admin'
const lines = (...all: string[]) => `${[...all].join('\r\n')}\r\n\r\n`

/** Messages on the edge of HTTP, or beyond it. */
export const messages: readonly RawRequest[] = [
  rawRequest('lower case scheme, two spaces', 'GET /v1/pets/1', { key: '', headers: ['Authorization: bearer  admin'] }),
  rawRequest('another scheme', 'GET /v1/pets/1', { key: '', headers: ['Authorization: Basic admin'] }),
  rawRequest('two keys', 'GET /v1/pets/1', { headers: [key] }),
  rawRequest('expired key', 'GET /v1/pets/1', { key: 'expired' }),
  rawRequest('revoked key', 'GET /v1/pets/1', { key: 'revoked' }),
  rawRequest('key of another environment', 'GET /v1/pets/1', { key: `pet_test_${'a'.repeat(38)}` }),
  rawRequest('key in the query', 'GET /v1/pets/1?access_token=admin', { key: '' }),
  rawRequest('Connection: close', 'GET /v1/pets/1', { headers: ['Connection: close'] }),
  rawRequest('a refused precondition', 'GET /v1/pets/1', { headers: ['If-Match: x'] }),
  rawRequest('an upgrade', 'GET /v1/pets/1', { headers: ['Connection: Upgrade', 'Upgrade: h2c'] }),
  rawRequest('two media types', 'POST /v1/pets', {
    headers: ['Content-Type: application/json', 'Content-Type: text/plain'],
    body: '{}',
  }),
  rawRequest('the whole address', 'GET http://other.example/v1/pets?limit=1'),
  rawRequest('OPTIONS *', 'OPTIONS *'),
  rawRequest('GET *', 'GET *'),
  rawRequest('CONNECT', 'CONNECT petstore:443'),
  rawRequest('a path without a slash', 'GET v1/pets'),
  rawRequest('a fragment', 'GET /v1/pets#1'),
  rawRequest('a raw letter beyond ASCII', 'GET /v1/pets/é'),
  rawRequest('headers too large', 'GET /v1/pets', { headers: [`X-Large: ${'a'.repeat(9_000)}`] }),
  rawRequest('a header without a colon', 'GET /v1/pets', { headers: ['colon'] }),
  rawRequest('a folded header', 'GET /v1/pets', { headers: ['X-Folded: a', ' b'] }),
  rawRequest('two lengths', 'POST /v1/pets', { headers: ['Content-Length: 1', 'Content-Length: 2'], body: '{}' }),
  rawRequest('a length and chunks', 'POST /v1/pets', {
    headers: ['Content-Type: application/json', 'Content-Length: 2', 'Transfer-Encoding: chunked'],
    body: '2\r\n{}\r\n0\r\n\r\n',
  }),
  rawRequest('an unknown transfer coding', 'POST /v1/pets', { headers: ['Transfer-Encoding: gzip'], body: '{}' }),
  rawRequest('a generated request id', 'GET /v1/pets/1', { headers: ['X-Request-Id: second'] }),
  { name: 'no request id', bytes: lines('GET /v1/pets/1 HTTP/1.1', 'Host: petstore', key) },
  { name: 'a request id with a space', bytes: lines('GET /v1/pets/1 HTTP/1.1', 'Host: a', key, 'X-Request-Id: a b') },
  { name: 'no Host', bytes: lines('GET /v1/pets HTTP/1.1', key) },
  { name: 'an empty Host', bytes: lines('GET /v1/pets?limit=1 HTTP/1.1', 'Host:', key) },
  { name: 'two Hosts', bytes: lines('GET /v1/pets HTTP/1.1', 'Host: a', 'Host: b', key) },
  { name: 'a broken Host', bytes: lines('GET /v1/pets HTTP/1.1', 'Host: a/b', key) },
  { name: 'a Host with a port', bytes: lines('GET /v1/pets?limit=1 HTTP/1.1', 'Host: shop.example:8080', key) },
  { name: 'no request line', bytes: lines('hello') },
  { name: 'the preface of HTTP/2', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  { name: 'two spaces', bytes: lines('GET  /v1/pets HTTP/1.1', 'Host: petstore', key) },
  { name: 'an empty line first', bytes: `\r\n${lines('GET /v1/pets/1 HTTP/1.1', 'Host: petstore', key)}` },
  { name: 'lines without a carriage return', bytes: 'GET /v1/pets HTTP/1.1\nHost: petstore\n\n' },
]
