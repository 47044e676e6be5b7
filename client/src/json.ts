// Exact JSON: an integer that a JavaScript number cannot hold is a bigint. The service sends at most 64 bits; any size
// works here.

import { randomId } from './random-id.ts'

/** Throws a SyntaxError if the text is not JSON. */
export function parseJson(text: string): unknown {
  // A reviver is about ten times slower, and is only needed for sixteen digits in a row.
  if (!/[0-9]{16}/.test(text)) return JSON.parse(text)
  return showsSource ? JSON.parse(text, reviveFromSource) : parseWithoutSource(text)
}

/** Undefined if the text is not JSON. */
export function parseJsonOrUndefined(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Encodes the members of `body` that are not undefined. */
export function encodeJson(body: object): string {
  const members = Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
    value === undefined ? [] : [`${JSON.stringify(name)}:${encodeValue(name, value)}`],
  )
  return `{${members.join()}}`
}

function encodeValue(name: string, value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && Number.isInteger(value)) return exactDigits(name, value)
  return JSON.stringify(value)
}

/** The digits of an integer. Throws if the number may have been rounded. */
export function exactDigits(name: string, value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value)
  throw new TypeError(`${name} must be an integer that is exact, got ${value}: use a bigint beyond 2^53.`)
}

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown

// Node 22, Chrome 114, Firefox 135, Safari 18.4 and later.
const showsSource = ((): boolean => {
  const reviver: Reviver = (_key, _value, context) => context?.source
  return JSON.parse('1', reviver) === '1'
})()

const reviveFromSource: Reviver = (_key, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?[0-9]+$/.test(context?.source ?? '')
    ? BigInt(context?.source ?? '')
    : value

/** Matches whole strings and numbers, so that digits inside a string are not taken for a number. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g

/** For runtimes whose reviver does not get the source text: a long integer becomes a marked string first. */
export function parseWithoutSource(text: string): unknown {
  // Random for each call, so that no text can contain it.
  const mark = `${randomId()}:`
  const marked = text.replaceAll(tokens, (token) =>
    /^-?[1-9][0-9]*$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${mark}${token}"` : token,
  )
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  )
}
