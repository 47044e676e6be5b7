/** The parts of an OpenAPI document that the checks use. */
export interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, Schema> } & Record<string, unknown>
}

export interface DocumentedOperation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>
}

export interface Parameter {
  name: string
  in: 'query' | 'header' | 'path'
  description?: string
  schema: Schema
}

export interface Schema {
  $ref?: string
  type?: string
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  pattern?: string
  minLength?: number
  maxLength?: number
  examples?: unknown[]
}

/** An operation with its schemas, and the document that it is from. */
export interface Operation {
  id: string
  method: string
  /** With its parameters in braces, below /v1. */
  path: string
  parameters: Parameter[]
  /** Of a body in JSON. */
  body: Schema | undefined
  /** Of a successful response in JSON. */
  result: Schema | undefined
}

/** A document with all references followed where they are asked for. */
export class Contract {
  readonly operations: Operation[]
  readonly #schemas: Record<string, Schema>

  constructor({ paths, components }: Document) {
    this.#schemas = components.schemas
    this.operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses }]) => {
        const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
        return {
          id: operationId,
          method: method.toUpperCase(),
          path,
          parameters,
          body: requestBody?.content['application/json']?.schema,
          result: success?.content?.['application/json']?.schema,
        }
      }),
    )
  }

  operation(method: string, path: string): Operation | undefined {
    return this.operations.find((operation) => operation.method === method && operation.path === path)
  }

  schema(name: string): Schema {
    return this.#schemas[name] ?? {}
  }

  schemas(): [name: string, schema: Schema][] {
    return Object.entries(this.#schemas)
  }

  resolve(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : this.resolve(this.schema(schema.$ref.split('/').at(-1) ?? ''))
  }

  membersOf(schema: Schema | undefined): [name: string, schema: Schema][] {
    return schema === undefined ? [] : Object.entries(this.resolve(schema).properties ?? {})
  }

  /** Of the items of a list. */
  itemOf(schema: Schema | undefined): Schema | undefined {
    return schema === undefined ? undefined : this.resolve(schema).items
  }

  /** Values that the schema allows, no two the same, null last. */
  valuesOf(schema: Schema): unknown[] {
    const { anyOf, enum: values, const: constant, type, format, pattern, items, ...limits } = this.resolve(schema)
    if (anyOf !== undefined) return anyOf.flatMap((alternative) => this.valuesOf(alternative))
    if (values !== undefined) return values
    if (constant !== undefined) return [constant]
    if (type === 'null') return [null]
    if (items !== undefined) {
      const each = this.valuesOf(items)
      return [...each.map((value) => [value]), each.toReversed()]
    }
    if (type === 'boolean') return [true, false]
    if (type === 'integer' || type === 'number') return [101, 202]
    if (format === 'date-time') return ['2097-01-31T12:00:00.000Z', '2098-01-31T12:00:00.000Z']
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, examples = [] } = limits
    const texts = ['Alpha', 'Bravo', ...examples].filter(
      (text) => String(text).length >= minLength && String(text).length <= maxLength,
    )
    return texts.filter((text) => new RegExp(pattern ?? '', 'u').test(String(text))).slice(0, 2)
  }
}
