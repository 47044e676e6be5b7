import type { TObject, TSchema } from 'typebox'
import { ErrorBody } from './error.ts'
import { answerHeaders, describeErrors, headerReferences } from './openapi-answers.ts'
import { type Operation, operations, sharedErrors } from './operations.ts'
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
