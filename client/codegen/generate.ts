// Writes src/contract.ts, the types of the client, from the OpenAPI document. openapi-typescript needs its own
// TypeScript version, has no int64, and cannot run in the test that detects drift. The document uses little of JSON
// Schema; unknown keywords are refused.

import { readFileSync, writeFileSync } from 'node:fs'

interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: string[]
  const?: string
  oneOf?: Schema[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
}
interface Operation {
  operationId: string
  summary: string
  parameters: { name: string; in: string; description: string; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Content>
}
interface Content {
  content?: Record<string, { schema: Schema }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const width = 120
const schemaFolder = '#/components/schemas/'

/** Names that JavaScript already uses. */
const renamed: Record<string, string> = { Error: 'ErrorBody' }

/** Keywords that restrict values or are for people; they do not change the type. */
const ignored = ['description', 'examples', 'default', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern']
const known = new Set([
  ...ignored,
  '$ref',
  'type',
  'format',
  'enum',
  'const',
  'oneOf',
  'anyOf',
  'discriminator',
  'items',
  'properties',
  'required',
])

export function generate({ paths, components }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )
  const sent = new Set(
    operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}).map(({ schema }) => schema.$ref)),
  )
  const parts = [
    '// Generated from openapi.json by codegen/generate.ts. Not for editing: run `npm run generate` in this package.',
    '/** An integer of 64 bits: a number, or a bigint where a number would not be exact (beyond ±(2^53 − 1)). */\n' +
      'export type Int64 = number | bigint',
    // A page is an array of its items and needs no name.
    ...Object.entries(components.schemas)
      .filter(([, { type }]) => type !== 'array')
      .map(([name, schema]) => declaration(renamed[name] ?? name, schema, sent.has(`${schemaFolder}${name}`))),
    ...operations.flatMap(queryOf),
    operationTable(operations, components.schemas),
  ]
  return `${parts.join('\n\n')}\n`
}

/** Optional members of a request may also be undefined; those of a response are present or absent. */
function declaration(name: string, schema: Schema, isSent: boolean): string {
  refuseUnknown(schema)
  if (schema.properties === undefined) return `${comment(schema, '')}${alias(name, typeOf(schema))}`
  const members = Object.entries(schema.properties).map(([member, property]) => {
    const isRequired = schema.required?.includes(member) ?? false
    return memberOf(member, property, isRequired, isSent && !isRequired)
  })
  return `${comment(schema, '')}export interface ${name} {\n${members.join('')}}`
}

function queryOf({ operationId, summary, parameters }: Operation): string[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  if (inQuery.length === 0) return []
  const members = inQuery.map(({ name, description, schema }) =>
    memberOf(name, { ...schema, description }, false, true),
  )
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`
  return [`/** ${summary}: what may be asked for. */\nexport interface ${name} {\n${members.join('')}}`]
}

function operationTable(
  operations: readonly (Operation & { path: string; method: string })[],
  schemas: Record<string, Schema>,
): string {
  const results = new Map<string, readonly string[]>()
  const rows = operations.map(({ operationId, method, path, responses }) => {
    const name = resultOf(responses, schemas)
    if (name !== undefined) results.set(referred(name), requiredOf(schemas, name))
    return `  ${operationId}: '${[method, path, ...(name === undefined ? [] : [referred(name)])].join(' ')}',\n`
  })
  const members = [...results].map(([name, names]) => `  ${name}: '${names.join(' ')}',\n`)
  return [
    `/** The members that a resource always has. */\nconst required: Record<string, string> = {\n${members.join('')}}`,
    `/** Method, path below the base address, and result. Short, because browsers load it. */\nconst table = {\n${rows.join('')}} as const`,
    'export type OperationId = keyof typeof table',
    'export interface Operation {\n  id: OperationId\n  method: string\n  path: string\n  result: readonly string[] | undefined\n}',
    '/** Every operation of the service. */\n' +
      'export const operations = Object.fromEntries(\n' +
      '  Object.entries(table).map(([id, row]) => {\n' +
      "    const [method, path, result = ''] = row.split(' ')\n" +
      "    return [id, { id, method, path, result: required[result]?.split(' ') }]\n" +
      '  }),\n' +
      ') as Record<OperationId, Operation>',
  ].join('\n\n')
}

/** The members that a schema requires; for alternatives, those that all require. */
function requiredOf(schemas: Record<string, Schema>, name: string): readonly string[] {
  const { required = [], oneOf } = schemas[name] ?? {}
  const [first = required, ...others] =
    oneOf?.map(({ $ref = '' }) => requiredOf(schemas, $ref.replace(schemaFolder, ''))) ?? []
  return first.filter((member) => others.every((members) => members.includes(member)))
}

/** The name of the schema that an operation returns, alone or in an array. */
function resultOf(responses: Operation['responses'], schemas: Record<string, Schema>): string | undefined {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const name = success?.content?.['application/json']?.schema.$ref?.replace(schemaFolder, '')
  return name === undefined ? undefined : (schemas[name]?.items?.$ref?.replace(schemaFolder, '') ?? name)
}

function memberOf(name: string, schema: Schema, isRequired: boolean, mayBeUndefined: boolean): string {
  refuseUnknown(schema)
  const types = [...typeOf(schema), ...(mayBeUndefined ? ['undefined'] : [])]
  const start = `  ${name}${isRequired ? '' : '?'}:`
  const line = `${start} ${types.join(' | ')}`
  const text = line.length <= width ? line : `${start}\n${types.map((type) => `    | ${type}`).join('\n')}`
  return `${comment(schema, '  ')}${text}\n`
}

function alias(name: string, types: readonly string[]): string {
  const line = `export type ${name} = ${types.join(' | ')}`
  return line.length <= width ? line : `export type ${name} =\n${types.map((type) => `  | ${type}`).join('\n')}`
}

/** The alternatives of a type. */
function typeOf(schema: Schema): string[] {
  refuseUnknown(schema)
  if (schema.$ref !== undefined) return [referred(schema.$ref)]
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives !== undefined) return alternatives.flatMap(typeOf)
  if (schema.const !== undefined) return [`'${schema.const}'`]
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${value}'`)
  switch (schema.type) {
    case 'string':
      return ['string']
    case 'null':
      return ['null']
    case 'array':
      return [`${typeOf(schema.items ?? {}).join(' | ')}[]`]
    case 'integer':
      return [schema.format === 'int64' ? 'Int64' : 'number']
    default:
      throw new Error(`A schema of type ${String(schema.type)} is not known: teach codegen/generate.ts.`)
  }
}

function referred(reference: string): string {
  const name = reference.replace(schemaFolder, '')
  return renamed[name] ?? name
}

function refuseUnknown(schema: Schema): void {
  const unknown = Object.keys(schema).filter((keyword) => !known.has(keyword) && !keyword.startsWith('x-'))
  if (unknown.length > 0) throw new Error(`Schema keywords ${unknown.join()} are not known: teach codegen/generate.ts.`)
}

function comment({ description }: Schema, indent: string): string {
  if (description === undefined) return ''
  const line = `${indent}/** ${description} */`
  if (line.length <= width) return `${line}\n`
  const lines = [`${indent} *`]
  for (const word of description.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > width) lines.push(`${indent} *`)
    lines.push(`${lines.pop()} ${word}`)
  }
  return `${indent}/**\n${lines.join('\n')}\n${indent} */\n`
}

if (import.meta.main) {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  writeFileSync(new URL('../src/contract.ts', import.meta.url), generate(JSON.parse(read('../../openapi.json'))))
}
