// Writes src/contract.ts, the types of the client, from the OpenAPI document, and src/sandbox-contract.ts from what the
// document of the sandbox has beyond it. openapi-typescript needs its own TypeScript version, has no int64, and cannot
// run in the test that detects drift.

import { readFileSync, writeFileSync } from 'node:fs'
import { openApiDocument } from '../../src/contract/document/openapi.ts'
import { sandboxOperations } from '../../src/sandbox/operations.ts'
import { declaration, memberOf, referred, renamed, type Schema, schemaFolder } from './schema-types.ts'

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
export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** The types of a whole document. */
export function generate(document: Document): string {
  const operations = operationsOf(document)
  const parts = [
    '// Generated from openapi.json by codegen/generate.ts. Not for editing: run `npm run generate` in this package.',
    '/** An integer of 64 bits: a number, or a bigint where a number would not be exact (beyond ±(2^53 − 1)). */\n' +
      'export type Int64 = number | bigint',
    ...declarations(document.components.schemas, operations),
    ...operationTable(operations, document.components.schemas),
    'export type OperationId = keyof typeof table',
    'export interface Operation {\n  id: string\n  method: string\n  path: string\n  result: readonly string[] | undefined\n}',
    readTable('operations', 'Every operation of the service.', 'OperationId'),
  ]
  return `${parts.join('\n\n')}\n`
}

/** The OpenAPI document that a sandbox serves. */
export function sandboxDocument(): Document {
  return openApiDocument({ more: sandboxOperations }) as unknown as Document
}

/** The types of what the document of the sandbox has beyond that of the service. */
export function generateSandbox(document: Document, service: Document): string {
  const known = new Set(operationsOf(service).map(({ operationId }) => operationId))
  const operations = operationsOf(document).filter(({ operationId }) => !known.has(operationId))
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).filter(([name]) => !(name in service.components.schemas)),
  )
  const parts = [
    "// Generated from the sandbox's OpenAPI document by codegen/generate.ts. Not for editing: run `npm run generate`.",
    "import type { Operation } from './contract.ts'",
    ...declarations(schemas, operations),
    ...operationTable(operations, document.components.schemas),
    readTable('sandboxOperations', 'Every operation that only a sandbox has.', 'keyof typeof table'),
  ]
  return `${parts.join('\n\n')}\n`
}

type LocatedOperation = Operation & { path: string; method: string }

function operationsOf({ paths }: Document): LocatedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )
}

function declarations(schemas: Record<string, Schema>, operations: readonly LocatedOperation[]): string[] {
  const bodies = operations.flatMap(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).map(({ schema }) => schema.$ref?.replace(schemaFolder, '') ?? ''),
  )
  const sent = new Set(bodies.map((name) => schemas[name]?.items?.$ref?.replace(schemaFolder, '') ?? name))
  return [
    // A page is an array of its items and needs no name.
    ...Object.entries(schemas)
      .filter(([, { type }]) => type !== 'array')
      .map(([name, schema]) => declaration(renamed[name] ?? name, schema, sent.has(name))),
    // An array of names: its items have the name without the s of the plural.
    ...Object.entries(schemas)
      .filter(([, { items }]) => items?.enum !== undefined)
      .map(([name, { items = {} }]) => declaration(name.replace(/s$/, ''), items, false)),
    ...operations.flatMap(queryOf),
  ]
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

function operationTable(operations: readonly LocatedOperation[], schemas: Record<string, Schema>): string[] {
  const results = new Map<string, readonly string[]>()
  const rows = operations.map(({ operationId, method, path, responses }) => {
    const name = resultOf(responses, schemas)
    if (name !== undefined) results.set(referred(name), requiredOf(schemas, name))
    return `  ${operationId}: '${[method, path, ...(name === undefined ? [] : [referred(name)])].join(' ')}',\n`
  })
  const members = [...results].map(([name, names]) => `  ${name}: '${names.join(' ')}',\n`)
  return [
    `/** The members that a resource always has; # marks an integer. */\nconst required: Record<string, string> = {\n${members.join('')}}`,
    `/** Method, path below the base address, and result. Short, because browsers load it. */\nconst table = {\n${rows.join('')}} as const`,
  ]
}

function readTable(name: string, description: string, ids: string): string {
  return (
    `/** ${description} */\n` +
    `export const ${name} = Object.fromEntries(\n` +
    '  Object.entries(table).map(([id, row]) => {\n' +
    "    const [method, path, result = ''] = row.split(' ')\n" +
    "    return [id, { id, method, path, result: required[result]?.split(' ').filter(Boolean) }]\n" +
    '  }),\n' +
    `) as Record<${ids}, Operation>`
  )
}

/** The members that a schema requires, integers with a #; for alternatives, those that all require. */
function requiredOf(schemas: Record<string, Schema>, name: string): readonly string[] {
  const { required = [], oneOf, properties = {} } = schemas[name] ?? {}
  const marked = required.map((member) => (properties[member]?.type === 'integer' ? `${member}#` : member))
  const [first = marked, ...others] =
    oneOf?.map(({ $ref = '' }) => requiredOf(schemas, $ref.replace(schemaFolder, ''))) ?? []
  return first.filter((member) => others.every((members) => members.includes(member)))
}

/** The name of the schema that an operation returns, alone or in an array. */
function resultOf(responses: Operation['responses'], schemas: Record<string, Schema>): string | undefined {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const name = success?.content?.['application/json']?.schema.$ref?.replace(schemaFolder, '')
  return name === undefined ? undefined : (schemas[name]?.items?.$ref?.replace(schemaFolder, '') ?? name)
}

if (import.meta.main) {
  const service = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document
  const write = (name: string, text: string) => writeFileSync(new URL(`../src/${name}`, import.meta.url), text)
  write('contract.ts', generate(service))
  write('sandbox-contract.ts', generateSandbox(sandboxDocument(), service))
}
