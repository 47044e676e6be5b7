import type { TObject } from 'typebox'
import type { Operation } from '../contract/operation.ts'
import { argumentWords, toolWords } from './words.ts'

type Json = Record<string, unknown>

/** More than an agent can use, and quick to parse. */
export const maxResultBytes = 256 * 1024

/** An operation as an agent sees it. */
export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: Json
  outputSchema: Json
  annotations: Json
}

/** Arguments that are headers of a request, by the name of the header. */
export const headerArguments = { 'Idempotency-Key': 'idempotencyKey', 'If-Match': 'ifMatch' } as const

const manyAtOnce: ReadonlySet<string> = new Set(['bulkChangePets', 'undoImport'])

/**
 * Whether agents get the operation. They do not get files, which are not for conversations, keys, which are secrets, and
 * what will be removed. Nor do they change many animals at once: one misread sentence would be too expensive.
 */
export function isTool({ id, files, success, permission, credential, deprecation }: Operation): boolean {
  const isForPrograms = files !== undefined || success.files !== undefined || manyAtOnce.has(id)
  return !isForPrograms && permission !== 'admin' && credential === undefined && deprecation === undefined
}

export function toolOf(operation: Operation): Tool {
  const { id, summary, description, method } = operation
  return {
    name: id,
    title: summary,
    description: toolWords[id] ?? description,
    inputSchema: inputSchema(operation),
    outputSchema: outputSchema(operation),
    annotations: {
      readOnlyHint: method === 'GET',
      destructiveHint: method !== 'GET' && method !== 'POST',
      // A create has an idempotency key.
      idempotentHint: true,
      openWorldHint: false,
    },
  }
}

/** Parameters and members of the body in one object: no two of an operation have the same name. */
function inputSchema({ parameters = {}, body }: Operation): Json {
  const properties: Json = {}
  const required: string[] = []
  for (const part of [parameters.path, parameters.query, body as TObject | undefined]) {
    for (const [name, schema] of Object.entries(part?.properties ?? {})) {
      properties[name] = {
        ...plain(schema, inputKeywords),
        ...('description' in schema && { description: withoutStreams(schema.description as string) }),
        ...(name in argumentWords && { description: argumentWords[name] }),
      }
      if (part?.required?.includes(name) === true && !('default' in schema)) required.push(name)
    }
  }
  for (const [header, name] of Object.entries(headerArguments)) {
    if (parameters.header?.properties[header] === undefined) continue
    properties[name] = { type: 'string', minLength: 1, maxLength: 255, description: argumentWords[name] }
    if (header === 'Idempotency-Key') required.push(name)
  }
  return { type: 'object', properties, required, additionalProperties: false }
}

/** No tool opens a stream. */
function withoutStreams(description: string): string {
  return description.replace(/(?:, and|\.) not for a stream\.$/i, '.')
}

function outputSchema({ success, parameters }: Operation): Json {
  const properties: Json = {}
  if (success.body !== undefined) properties['data'] = plain(success.body, outputKeywords)
  // The tag of a page is of no use.
  const isPage =
    success.body !== undefined && 'items' in success.body && parameters?.query?.properties['id'] === undefined
  for (const [name, { header, schema }] of Object.entries(resultMembers)) {
    if (success.headers.includes(header) && !(isPage && name === 'etag')) properties[name] = schema
  }
  if ('nextAfter' in properties) properties['hasMore'] = { type: 'boolean', description: 'There are more now.' }
  return { type: 'object', properties, required: success.body === undefined ? [] : ['data'] }
}

/** What a result has beside its data, each from a header. */
export const resultMembers = {
  nextCursor: {
    header: 'Next-Cursor',
    schema: { type: 'string', description: 'There are more: call again with this as `cursor`. Absent at the end.' },
  },
  nextAfter: {
    header: 'Event-Position',
    schema: { type: 'string', description: 'Call again with this as `after` to go on from here, now or later.' },
  },
  etag: {
    header: 'ETag',
    schema: { type: 'string', description: 'The version of the one thing in `data`, for `ifMatch` of a change.' },
  },
  replayed: {
    header: 'Idempotent-Replayed',
    schema: {
      type: 'string',
      enum: ['true'],
      description: 'This was done before, with the same `idempotencyKey`. Nothing was added now.',
    },
  },
} as const

type Keywords = ReadonlySet<string>

/** An agent pays for every word. The service checks the rest and says in words what is wrong. */
const inputKeywords: Keywords = new Set(
  'type format properties required items anyOf enum default minimum maximum maxLength description'.split(' '),
)
/** The names of the members say what they are. */
const outputKeywords: Keywords = new Set('type format properties required items anyOf enum'.split(' '))

/** The schema with these keywords only. Options that are the same without the others become one. */
function plain(schema: unknown, keywords: Keywords): Json {
  const { oneOf, ...rest } = schema as Json
  const all = oneOf === undefined ? rest : { ...rest, anyOf: oneOf }
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) => (keywords.has(key) ? [[key, plainValue(key, value, keywords)]] : [])),
  )
}

function plainValue(keyword: string, value: unknown, keywords: Keywords): unknown {
  if (keyword === 'items') return plain(value, keywords)
  if (keyword === 'anyOf') {
    const options = (value as unknown[]).map((option) => plain(option, keywords))
    return [...new Map(options.map((option) => [JSON.stringify(option), option])).values()]
  }
  if (keyword !== 'properties') return value
  return Object.fromEntries(Object.entries(value as Json).map(([name, schema]) => [name, plain(schema, keywords)]))
}
