import { isDate, isTime } from './time.ts'
import { int64FromText, int64Max, int64Min } from './int64.ts'

/** How one field is read. Both readers return undefined for an invalid value. */
export interface Rule {
  /** The whole rule, in words that follow "must be". */
  allowed: string
  fromJson(value: unknown): unknown
  fromText(text: string): unknown
  /** The part of the rule that a value breaks, in the same form, if the rule has several parts. */
  broken?(value: unknown): string
  /** Of an object: sentences about its members that are wrong. */
  faults?(value: unknown): string | undefined
}

/** The keywords that our schemas use. */
export interface Keywords {
  type?: string
  format?: string
  enum?: readonly string[]
  anyOf?: Keywords[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  items?: Keywords
  minItems?: number
  uniqueItems?: boolean
  /** The pattern in words: each part follows "a string" and has a pattern of its own. */
  'x-form'?: Record<string, string>
  default?: unknown
}

const numbers = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems']
const rules = ['type', 'format', 'enum', 'anyOf', ...numbers, 'pattern', 'items', 'uniqueItems', 'default']
const words = ['$id', 'description', 'examples', 'x-stability', 'x-form', 'x-use']
const known = new Set([...rules, ...words])

export function ruleOf(schema: Keywords): Rule {
  // A rule that is documented and not checked would be a false promise.
  const unknownKeyword = Object.keys(schema).find((keyword) => !known.has(keyword))
  if (unknownKeyword !== undefined) throw new Error(`No rule for the keyword ${unknownKeyword}`)
  if (schema.anyOf !== undefined) return anyOf(schema.anyOf.map(ruleOf))
  if (schema.enum !== undefined) return oneOf(schema.enum)
  if (schema.type === 'null') return nullRule
  if (schema.type === 'boolean') return boolean
  if (schema.type === 'integer') return schema.format === 'int64' ? int64(schema) : integer(schema)
  if (schema.type === 'array') return array(schema)
  if (schema.format === 'date-time') return time
  if (schema.format === 'date') return date
  if (schema.type === 'string') return string(schema)
  throw new Error(`No rule for a schema of type ${schema.type}`)
}

function oneOf(values: readonly string[]): Rule {
  const pick = (value: unknown) => (values.includes(value as string) ? value : undefined)
  return {
    allowed: values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`,
    fromJson: pick,
    fromText: pick,
  }
}

const nullRule: Rule = {
  allowed: 'null',
  fromJson: (value) => (value === null ? value : undefined),
  fromText: () => undefined,
}

const boolean: Rule = {
  allowed: 'true or false',
  fromJson: (value) => (typeof value === 'boolean' ? value : undefined),
  fromText: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
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
    // parseJson returns a number only if it is exact.
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
      Number.isSafeInteger(Number(value)) && (typeof value === 'number' || typeof value === 'bigint')
        ? within(Number(value))
        : undefined,
    fromText: (text) => (/^(0|-?[1-9][0-9]{0,15})$/.test(text) ? within(Number(text)) : undefined),
  }
}

const time: Rule = {
  allowed: 'a time such as 2027-01-31T12:00:00Z',
  fromJson: (value) => (typeof value === 'string' && isTime(value) ? value : undefined),
  fromText: (text) => (isTime(text) ? text : undefined),
}

const date: Rule = {
  allowed: 'a date such as 2027-01-31',
  fromJson: (value) => (typeof value === 'string' && isDate(value) ? value : undefined),
  fromText: (text) => (isDate(text) ? text : undefined),
}

/** Of values that are compared by themselves, as strings are. A client can send many, so each step is constant. */
function array({ items = {}, minItems = 0, uniqueItems = false }: Keywords): Rule {
  const item = ruleOf(items)
  const least = minItems === 0 ? '' : ` of at least ${minItems}`
  return {
    allowed: `an array${least}${uniqueItems ? ' without repeats' : ''}, each ${item.allowed}`,
    fromJson(value) {
      if (!Array.isArray(value) || value.length < minItems) return undefined
      const values = value.map(item.fromJson)
      if (values.includes(undefined) || (uniqueItems && new Set(values).size < values.length)) return undefined
      return values
    },
    fromText: () => undefined,
  }
}

function string({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, 'x-form': form }: Keywords): Rule {
  const whole = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  // The error message needs words for the pattern.
  if (pattern !== undefined && form === undefined) throw new Error(`No words for the pattern ${pattern}`)
  const parts = Object.entries(form ?? {}).map(([phrase, part]) => ({ phrase, part: new RegExp(part, 'u') }))
  const length = lengthInWords(minLength, maxLength)
  const check = (value: unknown) =>
    typeof value === 'string' && isWithin(value, minLength, maxLength) && (whole?.test(value) ?? true)
      ? value
      : undefined
  return {
    allowed: parts.length === 0 ? length : `${length} ${parts.map(({ phrase }) => phrase).join(' and ')}`,
    fromJson: check,
    fromText: check,
    broken(value) {
      if (typeof value !== 'string' || !isWithin(value, minLength, maxLength)) return length
      return `a string ${parts.find(({ part }) => !part.test(value))?.phrase ?? ''}`
    },
  }
}

function lengthInWords(minLength: number, maxLength: number): string {
  if (maxLength !== Number.POSITIVE_INFINITY) return `a string of ${minLength} to ${maxLength} characters`
  return minLength === 0 ? 'a string' : `a string of at least ${minLength} character${minLength === 1 ? '' : 's'}`
}

// Characters are code points: an emoji is one. They are counted only if the number of UTF-16 units does not decide.
function isWithin(text: string, minLength: number, maxLength: number): boolean {
  if (text.length < minLength || text.length > 2 * maxLength) return false
  if (text.length <= maxLength && minLength <= 1) return true
  const length = text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
  return length >= minLength && length <= maxLength
}
