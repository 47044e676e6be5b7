import type { TObject, TSchema } from 'typebox'
import { ErrorBody } from '../error.ts'
import {
  describeErrors,
  hasEtag,
  headerReferences,
  responseHeaders,
  type SharedResponses,
  sharedResponses,
  withSharedResponses,
} from './openapi-responses.ts'
import type { Files, Operation, Success } from '../operation.ts'
import { isOffered, type Offer, operations } from '../operations/operations.ts'
import { namedSchemas, withReferences } from './openapi-schemas.ts'
import type { Environment } from '../environment.ts'
import { prefer } from '../parameters.ts'
import { Type } from '../schema.ts'

type Json = Record<string, unknown>

export interface OpenApiOptions {
  /**
   * The environment that serves the document. Its server comes first, so that the reference page sends requests to it.
   */
  environment?: Environment
  /** The base address of each environment, if known. */
  baseUrls?: Partial<Record<Environment, string>>
  /** The least stable operations that are served. */
  offer?: Offer
}

/** The OpenAPI 3.1 document of the service. Without options it is the openapi.json in the repository. */
export function openApiDocument(options: OpenApiOptions = {}): Json {
  const { environment = 'production', baseUrls = {}, offer = 'experimental' } = options
  const offered = operations.filter((operation) => isOffered(operation, offer))
  const responses = sharedResponses(offered)
  return {
    // Some generators support 3.1.0 only. 3.1.1 differs only in wording.
    openapi: '3.1.0',
    info: {
      title: 'Pet Store',
      version: '1.0.0',
      summary: "A shop's animals over HTTP.",
      description:
        'List animals, add one, fetch one. Every operation needs an API key, sent as a bearer token. Every response with ' +
        'a status of 400 or more is an `Error`, whose `code` is one of a closed set. Every response has `X-Request-Id`. ' +
        'Operations and parameters with an `x-stability` may change: `beta` seldom and announced, `experimental` at any time.' +
        (offer === 'stable' ? stableOffer(offered) : ''),
      contact: { name: 'The Pet Store project' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: servers(environment, baseUrls),
    security: [{ apiKey: [] }],
    tags: tags.filter(({ name }) => offered.some((operation) => tagOf(operation) === name)),
    paths: paths(offered, responses),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <API_KEY>`' },
      },
      schemas: Object.fromEntries(
        [...namedSchemas([offered, ErrorBody])].map(([name, schema]) => [name, withReferences(schema, true)]),
      ),
      responses: Object.fromEntries(responses.values().map(({ name, response }) => [name, response])),
      headers: responseHeaders,
    },
  }
}

/** The description of a deployment that offers only stable operations. */
function stableOffer(offered: readonly Operation[]): string {
  const ids = offered.map(({ id }) => `\`${id}\``)
  const parameters = offered.flatMap(({ parameters = {} }) => [parameters.query, headersOf(parameters.header)])
  const marked = parameters
    .flatMap((schema) => Object.entries(schema?.properties ?? {}))
    .filter(([, property]) => 'x-stability' in property)
  const names = [...new Set(marked.map(([name]) => `\`${name}\``))]
  return (
    ` This deployment offers the operations that the contract names, ${ids.join(', ')}, and no others. Their optional ` +
    `parameters beyond the contract stay, each marked with an \`x-stability\`: ${names.join(', ')}. Paging needs \`cursor\`.`
  )
}

/** Every operation takes Prefer. An operation with its own preference describes the header itself. */
function headersOf(own: TObject | undefined): TObject {
  return Type.Object({ ...prefer().properties, ...own?.properties })
}

/** This environment's server first; the other one only if its address is known. */
function servers(environment: Environment, baseUrls: Partial<Record<Environment, string>>): Json[] {
  const other = environment === 'production' ? 'staging' : 'production'
  const known = [
    [environment, baseUrls[environment] ?? '/v1'],
    [other, baseUrls[other]],
  ] as const
  return known.flatMap(([name, url]) =>
    url === undefined ? [] : [{ url, description: name === 'production' ? 'Production' : 'Staging' }],
  )
}

function paths(all: readonly Operation[], shared: SharedResponses): Json {
  const byPath: Record<string, Json> = {}
  for (const operation of all) {
    byPath[operation.path] ??= {}
    Object.assign(byPath[operation.path] as Json, { [operation.method.toLowerCase()]: describe(operation, shared) })
  }
  return byPath
}

const tags = [
  { name: 'pets', description: 'The animals of the shop.' },
  { name: 'store', description: 'Orders for animals, and how many animals there are.' },
  { name: 'categories', description: 'The names of the categories.' },
  { name: 'events', description: 'Every change in the shop.' },
  { name: 'keys', description: 'The API keys. For admins.' },
]

function tagOf({ path }: Operation): string {
  return path.split('/')[1] as string
}

function describe(operation: Operation, shared: SharedResponses): Json {
  const { deprecation, stability, parameters = {}, body, files, isMergePatch, success, otherSuccess } = operation
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    tags: [tagOf(operation)],
    ...(stability && { 'x-stability': stability }),
    // The role that is needed (OpenAPI 3.1, security requirement object).
    ...(operation.permission === 'admin' && { security: [{ apiKey: ['admin'] }] }),
    ...(deprecation && { deprecated: true, 'x-sunset': deprecation.sunset.toISOString().slice(0, 10) }),
    parameters: [
      ...describeParameters('path', parameters.path),
      ...describeParameters('query', parameters.query),
      ...describeParameters('header', headersOf(parameters.header)),
    ],
    ...(body && { requestBody: { required: true, content: content(body, isMergePatch && mergePatch) } }),
    ...(files && { requestBody: { required: true, content: describeFiles(files) } }),
    responses: {
      ...describeSuccess(success, operation),
      ...(otherSuccess && describeSuccess(otherSuccess, operation)),
      ...(operation.method === 'GET' &&
        hasEtag(operation) && {
          304: {
            description: 'The client has this response already: its `ETag` was in `If-None-Match`.',
            headers: headerReferences([
              'X-Request-Id',
              ...(stability ? ['Stability'] : []),
              'ETag',
              ...(deprecation ? ['Deprecation', 'Sunset'] : []),
            ]),
          },
        }),
      ...withSharedResponses(describeErrors(operation), shared),
    },
  }
}

function describeParameters(place: 'path' | 'query' | 'header', schema: TObject | undefined): Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, examples, 'x-use': use, 'x-stability': stability, ...rest } = property as TSchema & Json
    const required = (schema?.required?.includes(name) ?? false) && !('default' in property)
    return {
      name,
      in: place,
      required,
      description: use ?? description,
      ...(stability !== undefined && { 'x-stability': stability }),
      schema: '$id' in property ? withReferences(property) : withReferences(rest),
      // The reference page sends examples. An optional parameter is disabled until the user selects it.
      examples: { default: { value: (examples as unknown[])[0], ...(!required && { 'x-disabled': true }) } },
    }
  })
}

const mergePatch = 'application/merge-patch+json'
const eventStream = 'text/event-stream'

function content(schema: TSchema, alsoMergePatch?: string): Json {
  const [example] = (schema as { examples?: unknown[] }).examples ?? []
  const described = { schema: withReferences(schema), ...(example !== undefined && { example }) }
  return { 'application/json': described, ...(alsoMergePatch && { [alsoMergePatch]: described }) }
}

function describeSuccess(success: Success, { stability }: Operation): Json {
  const { status, description, body, files, isStreamed, headers, links } = success
  const shared = [
    'X-Request-Id',
    ...(stability ? ['Stability'] : []),
    'RateLimit-Policy',
    'RateLimit',
    'Preference-Applied',
  ]
  return {
    [status]: {
      description,
      headers: headerReferences([...shared, ...headers]),
      ...(body && { content: { ...content(body), ...(isStreamed && { [eventStream]: streamed }) } }),
      ...(files && { content: describeFiles(files) }),
      ...(links && { links }),
    },
  }
}

function describeFiles(files: Files): Json {
  return Object.fromEntries(
    Object.entries(files).map(([type, { description, example }]) => [
      type,
      { schema: { type: 'string', description, examples: [example] }, example },
    ]),
  )
}

const streamed = {
  schema: {
    type: 'string',
    description: 'Server-sent events: `id` is the id of an event, `data` the event in JSON, on one line.',
    examples: ['id: 17\ndata: {"specversion":"1.0","id":"17"}\n\n'],
  },
}
