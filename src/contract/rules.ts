import type { Static, TObject } from 'typebox'
import { int64FromText, int64Max, int64Min } from './int64.ts'

/** What the schema names, and nothing else; or every fault, in sentences that name the field and say what is allowed. */
export type Checked<Value> = { value: Value } | { faults: string }

/**
 * Checks input against a schema of ours. Not with Ajv or TypeBox's own checker: to both a number is a double, so
 * neither can see an int64, and their messages speak of schemas, where ours name the field and say what is allowed.
 * It knows the few keywords our schemas use and refuses, at start, a schema with a type it does not know.
 * `source` says whether a field comes as a JSON value or as text, as in a query or in a table.
 */
export function checker<Schema extends TObject>(schema: Schema, source: 'json' | 'text') {
  const fields = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    rule: ruleOf(property as Keywords),
    required: schema.required?.includes(name) ?? false,
    fallback: (property as Keywords).default,
  }))
  const isJson = source === 'json'

  return function check(input: Record<string, unknown>): Checked<Static<Schema>> {
    // Only what the schema names is taken over, so nothing else can reach a handler.
    const value: Record<string, unknown> = {}
    let faults = ''
    for (const { name, rule, required, fallback } of fields) {
      const given = input[name]
      if (given === undefined) {
        if (fallback !== undefined) value[name] = fallback
        else if (required) faults += `${name} is missing: it must be ${rule.allowed}. `
        continue
      }
      const accepted = isJson ? rule.fromJson(given) : typeof given === 'string' ? rule.fromText(given) : undefined
      if (accepted !== undefined) value[name] = accepted
      else faults += `${name} must be ${rule.allowed}${Array.isArray(given) && !isJson ? ', given once' : ''}. `
    }
    return faults === '' ? { value: value as Static<Schema> } : { faults: faults.trimEnd() }
  }
}

/** How one field is read. Both readers answer undefined for what is not allowed. */
interface Rule {
  /** What is allowed, to follow "must be". */
  allowed: string
  fromJson(value: unknown): unknown
  fromText(text: string): unknown
}

interface Keywords {
  type?: string
  format?: string
  enum?: string[]
  anyOf?: Keywords[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  /** What the pattern asks for, in words. */
  'x-form'?: string
  default?: unknown
}

const rules = ['type', 'format', 'enum', 'anyOf', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'default']
const words = ['$id', 'description', 'examples', 'x-stability', 'x-form']
const known = new Set([...rules, ...words])

function ruleOf(schema: Keywords): Rule {
  // A rule that the document states and nobody checks would be a lie.
  const strange = Object.keys(schema).find((keyword) => !known.has(keyword))
  if (strange !== undefined) throw new Error(`No rule for the keyword ${strange}`)
  if (schema.anyOf !== undefined) return anyOf(schema.anyOf.map(ruleOf))
  if (schema.enum !== undefined) return oneOf(schema.enum)
  if (schema.type === 'null') return nothing
  if (schema.type === 'integer') return schema.format === 'int64' ? int64(schema) : integer(schema)
  if (schema.type === 'string') return string(schema)
  throw new Error(`No rule for a schema of type ${schema.type}`)
}

function oneOf(values: readonly string[]): Rule {
  const pick = (value: unknown) => (values.includes(value as string) ? value : undefined)
  return { allowed: `one of ${values.join(', ')}`, fromJson: pick, fromText: pick }
}

const nothing: Rule = {
  allowed: 'null',
  fromJson: (value) => (value === null ? value : undefined),
  fromText: () => undefined,
}

function anyOf(alternatives: readonly Rule[]): Rule {
  const first = (read: (rule: Rule) => unknown) => alternatives.map(read).find((value) => value !== undefined)
  return {
    allowed: alternatives.map(({ allowed }) => allowed).join(', or '),
    fromJson: (value) => first((rule) => rule.fromJson(value)),
    fromText: (text) => first((rule) => rule.fromText(text)),
  }
}

function int64({ minimum }: Keywords): Rule {
  const least = minimum === undefined ? int64Min : BigInt(minimum)
  const within = (value: bigint | undefined) => (value !== undefined && value >= least ? value : undefined)
  return {
    allowed: `an integer from ${least} to ${int64Max}`,
    // parseJson gives a number only where it is exact.
    fromJson: (value) =>
      typeof value === 'bigint'
        ? within(value)
        : Number.isSafeInteger(value)
          ? within(BigInt(value as number))
          : undefined,
    fromText: (text) => within(int64FromText(text)),
  }
}

function integer({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Keywords): Rule {
  const within = (value: number) => (value >= minimum && value <= maximum ? value : undefined)
  return {
    allowed: `an integer from ${minimum} to ${maximum}`,
    fromJson: (value) =>
      Number.isSafeInteger(Number(value)) && typeof value !== 'string' ? within(Number(value)) : undefined,
    fromText: (text) => (/^(0|-?[1-9][0-9]{0,15})$/.test(text) ? within(Number(text)) : undefined),
  }
}

function string({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, 'x-form': words }: Keywords): Rule {
  const form = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  const check = (value: unknown) =>
    typeof value === 'string' && isWithin(value, minLength, maxLength) && (form?.test(value) ?? true)
      ? value
      : undefined
  // A client that is refused must learn why: a pattern without words could not tell it.
  if (pattern !== undefined && words === undefined) throw new Error(`No words for the pattern ${pattern}`)
  const asked = words === undefined ? '' : `, ${words}`
  return { allowed: `a string of ${minLength} to ${maxLength} characters${asked}`, fromJson: check, fromText: check }
}

// Characters are code points: an emoji is one. Counted only where the number of UTF-16 units leaves it open.
function isWithin(text: string, minLength: number, maxLength: number): boolean {
  if (text.length < minLength || text.length > 2 * maxLength) return false
  if (text.length <= maxLength && minLength <= 1) return true
  const length = text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
  return length >= minLength && length <= maxLength
}
