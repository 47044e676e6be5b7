import type { TObject, TSchema } from 'typebox'
import { ErrorBody, type ErrorCode, errorStatus } from './error.ts'
import { type AnswerHeader, type Operation, operations, sharedErrors } from './operations.ts'
import { NewPet, Pet, PetStatus, Pets } from './pet.ts'

type Json = Record<string, unknown>

export type Environment = 'production' | 'staging'

export interface OpenApiOptions {
  /** The environment that serves the document: its server comes first, so that trying an operation meets it. */
  environment?: Environment
  /** The base address of each environment, where known. */
  baseUrls?: Partial<Record<Environment, string>>
}

/** The OpenAPI 3.1 document of the service. Without options it is the openapi.json in the repository. */
export function openApiDocument({ environment = 'production', baseUrls = {} }: OpenApiOptions = {}): Json {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Pet Store',
      version: '1.0.0',
      summary: "A shop's animals over HTTP.",
      description:
        'List animals, add one, fetch one. Every operation asks for an API key as a bearer token. Every answer with a ' +
        'status of 400 or more is an `Error`; its `code` comes from a closed set. Every answer carries `X-Request-Id`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: servers(environment, baseUrls),
    security: [{ apiKey: [] }],
    tags: [{ name: 'pets', description: 'The animals of the shop.' }],
    paths: paths(operations),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <API_KEY>`' },
      },
      schemas: Object.fromEntries(
        [PetStatus, NewPet, Pet, Pets, ErrorBody].map((schema) => [idOf(schema), withReferences(schema, true)]),
      ),
      headers: answerHeaders,
    },
  }
}

function servers(environment: Environment, baseUrls: Partial<Record<Environment, string>>): Json[] {
  const variables: Record<Environment, string> = { production: 'base_url', staging: 'staging_base_url' }
  const order: Environment[] = environment === 'production' ? ['production', 'staging'] : ['staging', 'production']
  return order.map((name) => {
    const description = name === 'production' ? 'Production' : 'Staging'
    const url = baseUrls[name] ?? (name === environment ? '/v1' : undefined)
    if (url !== undefined) return { url, description }
    const variable = variables[name]
    return {
      url: `{${variable}}`,
      description,
      variables: { [variable]: { default: 'http://localhost:8081/v1', description: 'Ends in /v1.' } },
    }
  })
}

function paths(all: readonly Operation[]): Json {
  const byPath: Record<string, Json> = {}
  for (const operation of all) {
    byPath[operation.path] ??= {}
    Object.assign(byPath[operation.path] as Json, { [operation.method.toLowerCase()]: describe(operation) })
  }
  return byPath
}

function describe(operation: Operation): Json {
  const { deprecation, parameters = {}, body, success } = operation
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    tags: ['pets'],
    ...(deprecation && { deprecated: true, 'x-sunset': deprecation.sunset.toISOString().slice(0, 10) }),
    parameters: [
      ...describeParameters('path', parameters.path),
      ...describeParameters('query', parameters.query),
      ...describeParameters('header', parameters.header),
    ],
    ...(body && { requestBody: { required: true, content: jsonContent(body) } }),
    responses: {
      [success.status]: {
        description: success.description,
        headers: headerReferences(['X-Request-Id', 'RateLimit-Policy', 'RateLimit', ...success.headers]),
        content: jsonContent(success.body),
      },
      ...(success.headers.includes('ETag') && {
        304: {
          description: 'Nothing changed since the answer whose `ETag` the client sent in `If-None-Match`.',
          headers: headerReferences(['X-Request-Id', 'ETag', ...(deprecation ? ['Deprecation', 'Sunset'] : [])]),
        },
      }),
      ...describeErrors([...operation.errors, ...sharedErrors], deprecation !== undefined),
    },
  }
}

function describeParameters(place: 'path' | 'query' | 'header', schema: TObject | undefined): Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, examples, 'x-stability': stability, ...rest } = property as TSchema & Json
    const required = (schema?.required?.includes(name) ?? false) && !('default' in property)
    return {
      name,
      in: place,
      required,
      description: description ?? `One of ${((property as Json)['enum'] as string[]).join(', ')}.`,
      ...(stability !== undefined && { 'x-stability': stability }),
      schema: '$id' in property ? withReferences(property) : withReferences(rest),
      // The reference page fills in examples. What may be left out is not to be sent unless one ticks it.
      examples: { default: { value: (examples as unknown[])[0], ...(!required && { 'x-disabled': true }) } },
    }
  })
}

// Several codes may share a status: one answer then lists them.
function describeErrors(codes: readonly ErrorCode[], deprecated: boolean): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code])
  return Object.fromEntries(
    [...byStatus].map(([status, sharing]) => [
      status,
      {
        description: sharing.map((code) => `\`${code}\`: ${errorMeanings[code]}`).join(' '),
        headers: headerReferences([
          'X-Request-Id',
          ...(status === 401 ? ['WWW-Authenticate'] : []),
          ...(status === 429 || status === 503 ? ['Retry-After'] : []),
          ...(deprecated ? ['Deprecation', 'Sunset'] : []),
        ]),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(
              sharing.map((code) => [code, { value: { code, message: errorMeanings[code], status } }]),
            ),
          },
        },
      },
    ]),
  )
}

const errorMeanings: Record<ErrorCode, string> = {
  invalid_parameter: 'A parameter has a value that is not allowed.',
  invalid_body: 'The body is missing required fields or contains invalid values.',
  invalid_request: 'The request is not proper HTTP.',
  unauthorized: 'The API key is missing or invalid.',
  forbidden: 'The API key may read but not write.',
  not_found: 'The requested resource could not be found.',
  method_not_allowed: 'The path does not know this method.',
  request_timeout: 'The request took too long to arrive.',
  conflict: 'A request with the same Idempotency-Key is still in flight.',
  gone: 'The operation was removed on 5 December 2030.',
  precondition_failed: 'The resource has changed since it was read.',
  payload_too_large: 'The body is larger than 64 KiB.',
  uri_too_long: 'The address is too long.',
  unsupported_media_type: 'The body is not plain application/json.',
  expectation_failed: 'The Expect header asks for what the service does not do.',
  idempotency_mismatch: 'The Idempotency-Key was used with another body.',
  rate_limited: 'The API key has used up its requests for now.',
  headers_too_large: 'The headers are too large.',
  internal: 'The service failed; the request id finds it in the log.',
  unavailable: 'The service cannot answer right now; try again.',
}

const answerHeaders: Record<AnswerHeader | SharedHeader, Json> = {
  'X-Request-Id': text(
    "Names this request in the service's log. The client's own, if it sent a sane one.",
    'f3a9c17e-1',
  ),
  'RateLimit-Policy': text('The limit per API key. Only where one is configured.', '"key";q=600;w=60'),
  RateLimit: text('What is left of the limit, and the seconds until it is whole again.', '"key";r=599;t=60'),
  'Retry-After': { description: 'Seconds to wait before trying again.', schema: { type: 'integer', examples: [1] } },
  'WWW-Authenticate': text('How to authenticate.', 'Bearer realm="petstore"'),
  ETag: text('The version of this answer, for If-None-Match.', '"kZlbCYzyzKHzQkyWRV3XYg"'),
  Link: text(
    'Related addresses (RFC 8288): `rel="next"` on a page that is not the last.',
    '</v1/pets?cursor=x>; rel="next"',
  ),
  Location: text('The address of the new animal.', 'https://petstore.example/v1/pets?id=1'),
  'X-Total-Count': {
    description: 'How many animals match, on all pages.',
    schema: { type: 'integer', examples: [42] },
  },
  'Preference-Applied': text('The preference that was honoured.', 'count=exact'),
  'Idempotent-Replayed': text('`true` when this is the first answer again.', 'true'),
  Deprecation: text('Since when the operation is deprecated (RFC 9745).', '@1794614400'),
  Sunset: text('When the operation is removed (RFC 8594).', 'Thu, 05 Dec 2030 00:00:00 GMT'),
}

type SharedHeader = 'X-Request-Id' | 'RateLimit-Policy' | 'RateLimit' | 'Retry-After' | 'WWW-Authenticate'

function text(description: string, example: string): Json {
  return { description, schema: { type: 'string', examples: [example] } }
}

function headerReferences(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function jsonContent(schema: TSchema): Json {
  return { 'application/json': { schema: withReferences(schema) } }
}

/** Schemas with a name of their own become references; the name itself is left out of the document. */
function withReferences(value: unknown, top = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item))
  if (typeof value !== 'object' || value === null) return value
  if (!top && '$id' in value) return { $ref: `#/components/schemas/${String(value.$id)}` }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (key === '$id' ? [] : [[key, withReferences(item)]])),
  )
}

function idOf(schema: TSchema): string {
  return (schema as { $id: string }).$id
}
