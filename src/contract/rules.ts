import type { Static, TObject } from 'typebox'
import { type Keywords, type Rule, ruleOf } from './field-rules.ts'

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
  const names = new Set(Object.keys(schema.properties))
  const isJson = source === 'json'

  /** With `isStrict`, a field that the schema does not name is a fault; else it is ignored. */
  return function check(input: Record<string, unknown>, isStrict = false): Checked<Static<Schema>> {
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
      else faults += `${name} must be ${isJson || typeof given === 'string' ? needed(rule, given) : 'given once'}. `
    }
    if (isStrict) faults += unknownNames(input, names, isJson ? 'member' : 'parameter')
    return faults === '' ? { value: value as Static<Schema> } : { faults: faults.trimEnd() }
  }
}

function needed({ allowed, broken }: Rule, given: unknown): string {
  return broken?.(given) ?? allowed
}

/** Whoever sends thousands of them, or long ones, learns of a few: an answer must not grow with what it refuses. */
const mostNames = 5
const longestName = 50

function unknownNames(input: object, known: ReadonlySet<string>, what: string): string {
  const unknown = Object.keys(input).filter((name) => !known.has(name))
  if (unknown.length === 0) return ''
  const shown = unknown.slice(0, mostNames).map((name) => JSON.stringify(shorten(name)))
  const more = unknown.length > mostNames ? ` and ${unknown.length - mostNames} more` : ''
  const which = known.size === 0 ? 'none' : [...known].join(', ')
  return `Unknown ${what}${unknown.length > 1 ? 's' : ''}: ${shown.join(', ')}${more}. Known: ${which}.`
}

function shorten(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName).toWellFormed()}…` : name
}
