import type { TObject, TSchema } from 'typebox'
import type { Files, Operation, Success } from '../operation.ts'
import { prefer } from '../parameters.ts'
import { Type } from '../schema.ts'
import {
  describeErrors,
  hasEtag,
  headerReferences,
  type SharedResponses,
  withSharedResponses,
} from './openapi-responses.ts'
import { withReferences } from './openapi-schemas.ts'

type Json = Record<string, unknown>

/** The operations by path and method. */
export function describePaths(all: readonly Operation[], shared: SharedResponses): Json {
  const byPath: Record<string, Json> = {}
  for (const operation of all) {
    byPath[operation.path] ??= {}
    Object.assign(byPath[operation.path] as Json, { [operation.method.toLowerCase()]: describe(operation, shared) })
  }
  return byPath
}

/** The group of an operation. */
export function tagOf({ path }: Operation): string {
  return path.split('/')[1] as string
}

function describe(operation: Operation, shared: SharedResponses): Json {
  const { deprecation, stability, parameters = {}, files, success, otherSuccess } = operation
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    tags: [tagOf(operation)],
    ...(stability && { 'x-stability': stability }),
    // The role that is needed (OpenAPI 3.1, security requirement object).
    ...(operation.permission === 'admin' && { security: [{ apiKey: ['admin'] }] }),
    ...(operation.credential && { security: [{ [operation.credential]: [] }] }),
    ...(deprecation && { deprecated: true, 'x-sunset': deprecation.sunset.toISOString().slice(0, 10) }),
    parameters: [
      ...describeParameters('path', parameters.path),
      ...describeParameters('query', parameters.query),
      ...describeParameters('header', headersOf(parameters.header)),
    ],
    ...(operation.body && { requestBody: { required: true, content: bodyContent(operation.body, operation) } }),
    ...(files && { requestBody: { required: true, content: describeFiles(files) } }),
    responses: {
      ...describeSuccess(success, operation),
      ...(otherSuccess && describeSuccess(otherSuccess, operation)),
      ...(operation.method === 'GET' &&
        hasEtag(operation) && {
          304: {
            description: 'The client has this response already: its `ETag` was in `If-None-Match`.',
            headers: headerReferences([...successHeaders(operation), ...success.headers]),
          },
        }),
      ...withSharedResponses(describeErrors(operation), shared),
    },
  }
}

/** The headers of requests. Every operation takes Prefer; one with a preference of its own describes it itself. */
export function headersOf(own: TObject | undefined): TObject {
  return Type.Object({ ...prefer().properties, ...own?.properties })
}

function describeParameters(location: 'path' | 'query' | 'header', schema: TObject | undefined): Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, examples, 'x-use': use, 'x-stability': stability, ...rest } = property as TSchema & Json
    const required = (schema?.required?.includes(name) ?? false) && !('default' in property)
    return {
      name,
      in: location,
      required,
      description: use ?? description,
      ...(stability !== undefined && { 'x-stability': stability }),
      schema: '$id' in property ? withReferences(property) : withReferences(rest),
      ...(examples !== undefined && { examples: { default: { value: (examples as unknown[])[0] } } }),
    }
  })
}

const mergePatch = 'application/merge-patch+json'
const eventStream = 'text/event-stream'

function content(schema: TSchema): Json {
  const [example] = (schema as { examples?: unknown[] }).examples ?? []
  return { 'application/json': { schema: withReferences(schema), ...(example !== undefined && { example }) } }
}

function bodyContent(schema: TSchema, { bodyExamples, isMergePatch }: Operation): Json {
  const named = Object.entries(bodyExamples ?? {}).map(([name, value]) => [name, { value }] as const)
  const json =
    named.length === 0
      ? content(schema)
      : { 'application/json': { schema: withReferences(schema), examples: Object.fromEntries(named) } }
  return { ...json, ...(isMergePatch && { [mergePatch]: json['application/json'] }) }
}

/** The headers of every response that is no error. */
function successHeaders({ stability }: Operation): string[] {
  return ['X-Request-Id', ...(stability ? ['Stability'] : []), 'RateLimit-Policy', 'RateLimit', 'Preference-Applied']
}

function describeSuccess(success: Success, operation: Operation): Json {
  const { status, description, body, files, isStreamed, headers, links } = success
  return {
    [status]: {
      description,
      headers: headerReferences([...successHeaders(operation), ...headers]),
      ...(body && { content: { ...content(body), ...(isStreamed && { [eventStream]: streamed }) } }),
      ...(files && { content: describeFiles(files) }),
      ...(links && { links }),
    },
  }
}

function describeFiles(files: Files): Json {
  return Object.fromEntries(
    Object.entries(files).map(([type, { description, schema, example }]) => [
      type,
      { schema: schema ? withReferences(schema) : { type: 'string', description, examples: [example] }, example },
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
