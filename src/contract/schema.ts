import type { Static, TObject, TSchema, Type as TypeBox } from 'typebox'

/** The schema of a resource, and the type of what it describes. */
export type ResourceSchema = TObject
export type ResourceOf<Schema extends TObject> = Static<Schema>

/**
 * The builders of TypeBox that the contract needs. TypeBox provides the types. Loading all of it would cost every start
 * a tenth of a second and 20 MB, for seven small functions.
 */
type Builders = Pick<typeof TypeBox, 'Array' | 'Enum' | 'Integer' | 'Object' | 'Optional' | 'String' | 'Unsafe'>

type Options = Record<string, unknown>

const optional = new WeakSet<object>()

function buildObject(properties: Record<string, TSchema>, options: Options = {}) {
  const required = Object.keys(properties).filter((name) => !optional.has(properties[name] as TSchema))
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
}

function buildOptional(schema: TSchema): TSchema {
  const copy = { ...schema }
  optional.add(copy)
  return copy
}

export const Type = {
  Array: (items: TSchema, options: Options = {}) => ({ type: 'array', items, ...options }),
  Enum: (values: readonly string[], options: Options = {}) => ({ enum: values, ...options }),
  Integer: (options: Options = {}) => ({ type: 'integer', format: 'int32', ...options }),
  Object: buildObject,
  Optional: buildOptional,
  String: (options: Options = {}) => ({ type: 'string', ...options }),
  Unsafe: (schema: Options) => ({ ...schema }),
} as unknown as Builders

/** An integer of 64 bits; see int64.ts. */
export const Int64 = Type.Unsafe<bigint>({ type: 'integer', format: 'int64' })

/** Makes schemas of times, whose example is `usual` unless another is given. */
export function timesLike(usual: string) {
  return (description: string, sample = usual) => Type.String({ format: 'date-time', description, examples: [sample] })
}

/** The schema of a message, with its name and its type. */
export interface MessageSchema {
  $id: string
  description: string
  properties: { type: { const: string } }
  examples: object[]
}

/** A schema with what TypeBox's types do not tell of it. */
export function messageSchema<Schema extends TSchema>(schema: Schema): Schema & MessageSchema {
  return schema as Schema & MessageSchema
}
