import { type ErrorCode, errorStatus } from '../error.ts'
import { methodsWithBody, type Operation, type ResponseHeader, sharedErrors } from '../operation.ts'

type Json = Record<string, unknown>

/** Statuses of gates that refuse a request before its preferences are read. */
const beforePreferences = new Set([403, 414, 415, 417, 429, 431])
/** On every response of a deprecated operation. */
const deprecationHeaders: readonly ResponseHeader[] = ['Deprecation', 'Sunset', 'Link']

/** The error responses of an operation. Codes that share a status are listed in one response. */
export function describeErrors(operation: Operation): Responses {
  const { errors, errorMeanings, method, permission, deprecation, isMergePatch } = operation
  const mayBeTooLarge = methodsWithBody.has(method) && !errors.includes('payload_too_large')
  // Reads may return 412 for If-Match.
  const codes: ErrorCode[] = [
    ...errors,
    ...sharedErrors,
    ...(mayBeTooLarge ? (['payload_too_large'] as const) : []),
    ...(method === 'GET' && hasEtag(operation) ? (['precondition_failed'] as const) : []),
    ...(permission === 'read' ? [] : (['forbidden'] as const)),
  ]
  const meanings = { ...usualMeanings, ...errorMeanings }
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code])
  return Object.fromEntries(
    [...byStatus].map(([status, sharing]) => [
      status,
      {
        description: sharing.map((code) => `\`${code}\`: ${meanings[code]}`).join(' '),
        headers: headerReferences([
          'X-Request-Id',
          'Stability',
          'RateLimit-Policy',
          'RateLimit',
          ...(beforePreferences.has(status) ? [] : ['Preference-Applied']),
          ...(status === 400 ? ['Invalid-Fields'] : []),
          ...(status === 401 ? ['WWW-Authenticate'] : []),
          ...(status === 429 || status === 503 || (status === 409 && mayBeInFlight(operation)) ? ['Retry-After'] : []),
          ...(status === 415 ? ['Accept-Encoding'] : []),
          ...(status === 415 && isMergePatch ? ['Accept-Patch'] : []),
          ...(deprecation ? deprecationHeaders : []),
        ]),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(
              sharing.map((code) => [code, { value: { code, message: meanings[code], status } }]),
            ),
          },
        },
      },
    ]),
  )
}

/** Whether a conflict may be a request in flight, which says when to try again. */
function mayBeInFlight({ parameters }: Operation): boolean {
  return 'Idempotency-Key' in (parameters?.header?.properties ?? {})
}

/** Whether the response of a read can be revalidated. */
export function hasEtag({ success }: Operation): boolean {
  return success.headers.includes('ETag')
}

type Responses = Record<string, Json>

/** Responses shared by several operations, by their JSON, with their name in the document. */
export type SharedResponses = ReadonlyMap<string, { name: string; response: Json }>

/** Finds the error responses that two or more operations share. */
export function sharedResponses(operations: readonly Operation[]): SharedResponses {
  const all = operations.flatMap((operation) => Object.values(describeErrors(operation)))
  const shared = Map.groupBy(all, (response) => JSON.stringify(response))
  const taken = new Map<string, number>()
  return new Map(
    [...shared]
      .filter(([, uses]) => uses.length > 1)
      .map(([text, [response = {}]]) => {
        const base = nameOf(response)
        const count = (taken.get(base) ?? 0) + 1
        taken.set(base, count)
        return [text, { name: count === 1 ? base : `${base}${count}`, response }]
      }),
  )
}

export function withSharedResponses(responses: Responses, shared: SharedResponses): Json {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const name = shared.get(JSON.stringify(response))?.name
      return [status, name === undefined ? response : { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/** Joins the codes: InvalidParameterOrInvalidRequest. */
function nameOf(response: Json): string {
  const { examples } = (response['content'] as Record<string, { examples: Json }>)['application/json'] ?? {
    examples: {},
  }
  const names = Object.keys(examples).map((code) =>
    code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  )
  return names.join('Or')
}

const usualMeanings: Record<ErrorCode, string> = {
  invalid_parameter: 'A parameter has a value that is not allowed.',
  invalid_body: 'The body is missing required fields or contains invalid values.',
  invalid_request: 'The request is not valid HTTP, or repeats a header that may be sent only once.',
  unauthorized: 'The API key is missing or invalid.',
  forbidden: 'The API key may read but not write.',
  not_found: 'The requested resource could not be found.',
  method_not_allowed: 'The path does not have this method.',
  request_timeout: 'The request took too long to arrive.',
  conflict: 'A request with the same Idempotency-Key is still in flight.',
  gone: 'The operation was removed on 5 December 2030.',
  precondition_failed: '`If-Match` or `If-None-Match` does not hold for the resource as it is now.',
  payload_too_large: 'The body is larger than 64 KiB.',
  uri_too_long: 'The address is too long.',
  unsupported_media_type: 'The body is not JSON, or it is compressed.',
  expectation_failed: 'The Expect header has an expectation that the service does not support.',
  idempotency_mismatch: 'The Idempotency-Key was used with another body.',
  rate_limited: 'The API key has used up its requests for now, or the address has sent too many without a valid key.',
  headers_too_large: 'The headers are too large.',
  internal: 'The service failed. Its log has the cause, under the request id.',
  unavailable: 'The service cannot handle the request now; try again.',
}

/** Every response header, for the components of the document. */
export const responseHeaders: Record<ResponseHeader | SharedHeader, Json> = {
  'X-Request-Id': text(
    'Identifies the request, in the log of the service too. The id that the client sent, if it is valid.',
    'f3a9c17e-1',
  ),
  Stability: text('The stability of an operation beyond the contract: `beta` or `experimental`.', 'beta'),
  'RateLimit-Policy': text(
    'The limit per API key, or per client address without a valid one. Only if a limit is configured.',
    '"key";q=600;w=60',
  ),
  RateLimit: text('How many requests are left, and the seconds until the limit is reset.', '"key";r=599;t=60'),
  'Retry-After': {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer', format: 'int32', examples: [1] },
  },
  'WWW-Authenticate': text('How to authenticate.', 'Bearer realm="petstore"'),
  'Invalid-Fields': {
    ...text(
      'The members of the body, or the parameters, that are missing or wrong: their names in this document, separated by ' +
        'commas. Absent if the whole body or query cannot be read, or if only names are wrong that are not in the document.',
      'name, categoryId',
    ),
    'x-stability': 'experimental',
  },
  'Content-Disposition': text('A name for the file.', 'attachment; filename="pets.csv"'),
  ETag: text(
    'The version of the resource or page, for `If-None-Match` and `If-Match`.',
    '"n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"',
  ),
  'Event-Position': {
    ...text(
      'Where to go on from: send it as `after`, also after an empty or the last page. It names the history of the ' +
        'database, so a position that was lost, for example by a restored backup, is always refused with 410. Not with ' +
        '`sort=-id`.',
      '17-k3x9Qa7B',
    ),
    'x-stability': 'experimental',
  },
  Link: text(
    'Related addresses (RFC 8288): `rel="next"` on a page that is not the last. On every response of a deprecated ' +
      'operation: its documentation and its replacement.',
    '</v1/pets?cursor=x>; rel="next"',
  ),
  'Next-Cursor': {
    ...text(
      'The `cursor` in the `rel="next"` link, for tools that cannot take it out of `Link`. Absent on the last page.',
      'AAAAAAAAAABlIt9p',
    ),
    'x-stability': 'beta',
  },
  Location: text('The address of what was added.', 'https://petstore.example/v1/pets/1'),
  'X-Total-Count': {
    description: 'How many animals match, on all pages.',
    schema: { type: 'integer', format: 'int64', examples: [42] },
  },
  'Preference-Applied': text('The preferences that were applied.', 'handling=strict, count=exact'),
  'Idempotent-Replayed': text('`true` if this is the first response again.', 'true'),
  'Accept-Encoding': text('The content codings of a request (RFC 9110, 12.5.3): only `identity`.', 'identity'),
  'Accept-Patch': text('The media types of a change (RFC 5789).', 'application/merge-patch+json, application/json'),
  Deprecation: text('Since when the operation is deprecated (RFC 9745).', '@1794614400'),
  Sunset: text('When the operation is removed (RFC 8594).', 'Thu, 05 Dec 2030 00:00:00 GMT'),
}

type SharedHeader =
  | 'X-Request-Id'
  | 'Stability'
  | 'RateLimit-Policy'
  | 'RateLimit'
  | 'Retry-After'
  | 'WWW-Authenticate'
  | 'Accept-Encoding'
  | 'Invalid-Fields'
  | 'Accept-Patch'
  | 'Preference-Applied'

function text(description: string, example: string): Json {
  return { description, schema: { type: 'string', examples: [example] } }
}

export function headerReferences(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
