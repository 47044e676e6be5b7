import type { Environment } from '../environment.ts'
import { ErrorBody } from '../error.ts'
import type { Operation } from '../operation.ts'
import { isServed, type StabilityLevel, operations, tags } from '../operations/operations.ts'
import { createWebhook } from '../operations/webhooks.ts'
import { describePaths, headersOf, tagOf } from './openapi-operations.ts'
import { responseHeaders, sharedResponses } from './openapi-responses.ts'
import { describeWebhookRequests, webhookMessages, webhookParameters } from './openapi-webhooks.ts'
import { namedSchemas, withReferences } from './openapi-schemas.ts'

type Json = Record<string, unknown>

/** The version of the API, for those who use it. */
export const apiVersion = '1.0.0'

export interface OpenApiOptions {
  /**
   * The environment that serves the document. Its server comes first, so that the reference page sends requests to it.
   */
  environment?: Environment
  /** The base address of each environment, if known. */
  baseUrls?: Partial<Record<Environment, string>>
  /** The least stable operations that are served. */
  minStability?: StabilityLevel
  /** Operations that only some servers have. */
  more?: readonly Operation[]
}

/** The OpenAPI 3.1 document of the service. Without options it is the openapi.json in the repository. */
export function openApiDocument(options: OpenApiOptions = {}): Json {
  const { environment = 'production', baseUrls = {}, minStability = 'experimental', more = [] } = options
  const served = [...operations, ...more].filter((operation) => isServed(operation, minStability))
  const responses = sharedResponses(served)
  const hasWebhooks = isServed(createWebhook, minStability)
  return {
    // Some generators support 3.1.0 only. 3.1.1 differs only in wording.
    openapi: '3.1.0',
    info: {
      title: 'Pet Store',
      version: apiVersion,
      summary: "A shop's animals over HTTP.",
      description:
        'List animals, add one, fetch one. Every operation needs an API key, sent as a bearer token. Every response with ' +
        'a status of 400 or more is an `Error`, whose `code` is one of a closed set. Every response has `X-Request-Id`. ' +
        'Everything in one response, headers too, is one committed state of the shop, of a time between the request and ' +
        'the response. ' +
        'Operations and parameters with an `x-stability` may change with a minor release, `beta` ones seldom; the ' +
        'CHANGELOG says how.' +
        (minStability === 'stable' ? describeStable(served) : ''),
      contact: { name: 'The Pet Store project' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: servers(environment, baseUrls),
    security: [{ apiKey: [] }],
    tags: tags.filter(({ name }) => served.some((operation) => tagOf(operation) === name)),
    paths: describePaths(served, responses),
    ...(hasWebhooks && { webhooks: describeWebhookRequests() }),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <API_KEY>`' },
        ...(served.some(({ credential }) => credential === 'invitation') && {
          invitation: {
            type: 'http',
            scheme: 'bearer',
            description: 'The token of an invitation, in the place of a key.',
          },
        }),
      },
      schemas: Object.fromEntries(
        [...namedSchemas([served, ErrorBody, hasWebhooks && webhookMessages])].map(([name, schema]) => [
          name,
          withReferences(schema, true),
        ]),
      ),
      responses: Object.fromEntries(responses.values().map(({ name, response }) => [name, response])),
      headers: responseHeaders,
      ...(hasWebhooks && { parameters: webhookParameters }),
    },
  }
}

/** The description of a deployment that offers only stable operations. */
function describeStable(served: readonly Operation[]): string {
  const ids = served.map(({ id }) => `\`${id}\``)
  const parameters = served.flatMap(({ parameters = {} }) => [parameters.query, headersOf(parameters.header)])
  const marked = parameters
    .flatMap((schema) => Object.entries(schema?.properties ?? {}))
    .filter(([, property]) => 'x-stability' in property)
  const names = [...new Set(marked.map(([name]) => `\`${name}\``))]
  return (
    ` This deployment offers the operations that the contract names, ${ids.join(', ')}, and no others. Their optional ` +
    `parameters beyond the contract stay, each marked with an \`x-stability\`: ${names.join(', ')}. Paging needs \`cursor\`.`
  )
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
