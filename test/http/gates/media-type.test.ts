import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../../../src/contract/operation.ts'
import type { Route } from '../../../src/http/exchange.ts'
import { requireMediaType } from '../../../src/http/gates/media-type.ts'
import type { PetStoreError } from '../../../src/inventory/errors.ts'
import { makeExchange } from '../../support/exchange.ts'

type Headers = Record<string, string>

const files = (...types: string[]) =>
  ({ files: Object.fromEntries(types.map((type) => [type, {}])) }) as Partial<Operation> as Operation
const checkBody = () => undefined
/** Routes by what they take. */
const routes = {
  nothing: {},
  json: { method: 'POST', checkBody },
  changes: { method: 'PATCH', checkBody },
  animals: { method: 'POST', operation: files('text/csv', 'application/x-ndjson') },
  lines: { method: 'PUT', operation: files('application/x-ndjson') },
  jsonOrLines: { method: 'POST', operation: files('application/json', 'application/x-ndjson') },
} satisfies Record<string, Partial<Route>>

/** The headers of the refusal, and its message; undefined if the request passes. */
function refusalOf(name: keyof typeof routes, headers: Headers): { headers: Headers; message: string } | undefined {
  const exchange = makeExchange({ rawHeaders: Object.entries(headers).flat() })
  exchange.findings.route = routes[name] as Partial<Route> as Route
  try {
    requireMediaType(exchange)
    return undefined
  } catch (error) {
    assert.equal((error as PetStoreError).code, 'unsupported_media_type')
    return { headers: exchange.response.headers, message: (error as PetStoreError).message }
  }
}

const accepts = (name: keyof typeof routes, type: string) => refusalOf(name, { 'content-type': type }) === undefined

const types = [
  'application/json',
  'application/merge-patch+json',
  'application/x-ndjson',
  'text/csv',
  'text/plain',
  'Application/JSON; Charset="UTF-8"',
]

for (const [name, accepted] of [
  ['nothing', types],
  ['json', ['application/json', 'Application/JSON; Charset="UTF-8"']],
  ['changes', ['application/json', 'application/merge-patch+json', 'Application/JSON; Charset="UTF-8"']],
  ['animals', ['application/x-ndjson', 'text/csv']],
  ['lines', ['application/x-ndjson']],
  ['jsonOrLines', ['application/json', 'application/x-ndjson', 'Application/JSON; Charset="UTF-8"']],
] as const) {
  test(`the media types of an operation are those of its body: ${name}`, () => {
    assert.deepEqual(
      types.filter((type) => accepts(name, type)),
      accepted,
    )
  })
}

test('a file may have a charset and say that it has a header line, with spaces anywhere between', () => {
  const good = [
    'text/csv',
    'TEXT/CSV',
    'text/csv;',
    'text/csv  ;',
    'text/csv;charset=utf-8',
    'text/csv; charset=utf-16',
    'text/csv  ;  charset  =  utf-8',
    'text/csv; charset="utf-8"',
    'text/csv; charset="UTF-16";',
    'text/csv;header=present',
    'text/csv;  header  =  present',
    'text/csv; header=present; charset=utf-8',
    'application/x-ndjson;charset=utf-8;header=present  ;',
  ]
  const bad = [
    'x text/csv',
    'text/csv x',
    'text/csv2',
    'text/csv charset=utf-8',
    'text/csv;;',
    'text/csv; charset=latin1',
    'text/csv; charset="utf-8',
    'text/csv; charset=utf-8 x',
    'text/csv;xcharset=utf-8',
    'text/csv; charsetx=utf-8',
    'text/csv; charset=xutf-8',
    'text/csv; header=absent',
    'text/csv; headerx=present',
    'text/csv; header=xpresent',
    'text/csv, text/csv',
  ]

  assert.deepEqual(
    [...good, ...bad].filter((type) => accepts('animals', type)),
    good,
  )
})

test('a body without a media type is refused, and no body needs none', () => {
  for (const headers of [{}, { 'content-length': '0' }]) assert.equal(refusalOf('json', headers), undefined)
  for (const headers of [{ 'content-length': '1' }, { 'transfer-encoding': 'chunked' }])
    assert.match(refusalOf('json', headers)?.message ?? '', /^Send the body as Content-Type: application\/json, /)
  assert.ok(refusalOf('json', { 'content-type': '', 'content-length': '0' }))
})

test('the refusal of a change names the media types of changes, and that of another body does not', () => {
  const wrong = { 'content-type': 'text/plain' }

  assert.deepEqual(refusalOf('changes', wrong)?.headers, {
    'accept-patch': 'application/merge-patch+json, application/json',
  })
  assert.deepEqual(refusalOf('json', wrong)?.headers, {})
})

test('a body with a coding is refused, unless the coding changes nothing', () => {
  const type = { 'content-type': 'application/json' }

  for (const coding of ['identity', 'Identity'])
    assert.equal(refusalOf('json', { ...type, 'content-encoding': coding }), undefined)
  for (const coding of ['gzip', ''])
    assert.deepEqual(refusalOf('json', { ...type, 'content-encoding': coding })?.headers, {
      'accept-encoding': 'identity',
    })
})
