import type { Static, TObject, TSchema } from 'typebox'
import { type Keywords, type Rule, ruleOf } from './field-rules.ts'

/** Either the members that the schema names, or all faults, in sentences that name the field and what is allowed. */
export type Checked<Value> =
  | { value: Value }
  /** `fields` are the names in the schema. */
  | { faults: string; fields: readonly string[] }

/**
 * Compiles a schema into a check. Ajv and TypeBox treat a number as a double, so they cannot check an int64, and their
 * messages speak of schemas instead of fields. Supports the few keywords that our schemas use and throws at start on an
 * unknown type. `source` says whether fields are JSON values or text, as in a query or a table. `place` follows the name of a
 * field in a message.
 */
export function checker<Schema extends TObject>(schema: Schema, source: 'json' | 'text', place = '') {
  const fields = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    rule: isObject(property) ? objectRule(name, property) : ruleOf(property as Keywords),
    required: schema.required?.includes(name) ?? false,
    fallback: (property as Keywords).default,
  }))
  const names = new Set(Object.keys(schema.properties))
  const isJson = source === 'json'
  const isClosed = refusesUnknownMembers(schema)

  /**
   * With `isStrict`, a field that the schema does not name is a fault; otherwise it is ignored, unless the schema
   * refuses it.
   */
  return function check(input: Record<string, unknown>, isStrict = false): Checked<Static<Schema>> {
    // Copies only members that the schema names, so nothing else reaches a handler.
    const value: Record<string, unknown> = {}
    let faults = ''
    const wrong: string[] = []
    const refuse = (name: string, rest: string, sentence = `${name}${place} ${rest}`) => {
      faults += `${sentence} `
      wrong.push(name)
    }
    for (const { name, rule, required, fallback } of fields) {
      const given = input[name]
      if (given === undefined) {
        if (fallback !== undefined) value[name] = fallback
        else if (required) refuse(name, `is missing: it must be ${rule.allowed}.`)
        continue
      }
      const accepted = isJson ? rule.fromJson(given) : typeof given === 'string' ? rule.fromText(given) : undefined
      if (accepted !== undefined) value[name] = accepted
      else {
        const allowed = isJson || typeof given === 'string' ? needed(rule, given) : 'given once'
        refuse(name, `must be ${allowed}.`, rule.faults?.(given))
      }
    }
    if (isStrict || isClosed) faults += unknownNames(input, names, isJson ? 'member' : 'parameter', place)
    return faults === '' ? { value: value as Static<Schema> } : { faults: faults.trimEnd(), fields: wrong }
  }
}

function isObject(schema: TSchema): schema is TObject {
  return (schema as Keywords).type === 'object'
}

function refusesUnknownMembers(schema: TSchema): boolean {
  return (schema as { additionalProperties?: boolean }).additionalProperties === false
}

/** An object in a body. A member that it does not name is always a fault: ignored, it could change the meaning. */
function objectRule(name: string, schema: TObject): Rule {
  if (!refusesUnknownMembers(schema)) throw new Error('An object in a body must refuse unknown members')
  const check = checker(schema, 'json', ` in ${name}`)
  const read = (value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? check(value as Record<string, unknown>)
      : undefined
  return {
    allowed: 'an object',
    fromJson(value) {
      const checked = read(value)
      return checked !== undefined && 'value' in checked ? checked.value : undefined
    },
    fromText: () => undefined,
    faults(value) {
      const checked = read(value)
      return checked !== undefined && 'faults' in checked ? checked.faults : undefined
    },
  }
}

function needed({ allowed, broken }: Rule, given: unknown): string {
  return broken?.(given) ?? allowed
}

/** A limit for the message: a response must not grow with the request that it refuses. */
const maxNames = 5
const longestName = 50

function unknownNames(input: object, known: ReadonlySet<string>, what: string, place: string): string {
  const unknown = Object.keys(input).filter((name) => !known.has(name))
  if (unknown.length === 0) return ''
  const shown = unknown.slice(0, maxNames).map((name) => JSON.stringify(shorten(name)))
  const more = unknown.length > maxNames ? ` and ${unknown.length - maxNames} more` : ''
  const which = known.size === 0 ? 'none' : [...known].join(', ')
  return `Unknown ${what}${unknown.length > 1 ? 's' : ''}${place}: ${shown.join(', ')}${more}. Known: ${which}.`
}

function shorten(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName).toWellFormed()}…` : name
}
