// TypeScript for the part of JSON Schema that our documents use. Unknown keywords are refused.

export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: (string | number | boolean)[]
  const?: string
  oneOf?: Schema[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema
  description?: string
}
const width = 120
export const schemaFolder = '#/components/schemas/'

/** Names that JavaScript already uses. */
export const renamed: Record<string, string> = { Error: 'ErrorBody' }

/** Keywords that restrict values or are for people; they do not change the type. */
const limits = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'uniqueItems', 'pattern']
const ignored = ['description', 'examples', 'default', ...limits]
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
  'additionalProperties',
])

/** Optional members of a request may also be undefined; those of a response are present or absent. */
export function declaration(name: string, schema: Schema, isSent: boolean): string {
  refuseUnknown(schema)
  if (schema.properties === undefined) return `${comment(schema, '')}${alias(name, typeOf(schema))}`
  const members = Object.entries(schema.properties).map(([member, property]) => {
    const isRequired = schema.required?.includes(member) ?? false
    return memberOf(member, property, isRequired, isSent && !isRequired)
  })
  return `${comment(schema, '')}export interface ${name} {\n${members.join('')}}`
}

export function memberOf(name: string, schema: Schema, isRequired: boolean, mayBeUndefined: boolean): string {
  refuseUnknown(schema)
  const types = [...typeOf(schema), ...(mayBeUndefined ? ['undefined'] : [])]
  const start = `  ${/^\w+$/.test(name) ? name : `'${name}'`}${isRequired ? '' : '?'}:`
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
  if (schema.type === 'boolean') return [schema.enum?.join(' | ') ?? 'boolean']
  if (schema.additionalProperties !== undefined) {
    return [`Record<string, ${typeOf(schema.additionalProperties).join(' | ')}>`]
  }
  if (schema.enum !== undefined)
    return schema.enum.map((value) => (typeof value === 'number' ? `${value}` : `'${value}'`))
  switch (schema.type) {
    case 'string':
      return ['string']
    case 'null':
      return ['null']
    case 'array':
      return [`${typeOf(schema.items ?? {}).join(' | ')}[]`]
    case 'integer':
      return [schema.format === 'int64' ? 'Int64' : 'number']
    case 'number':
      return ['number']
    default:
      throw new Error(`A schema of type ${String(schema.type)} is not known: teach codegen/generate.ts.`)
  }
}

export function referred(reference: string): string {
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
