// Exact JSON: an integer that a JavaScript number cannot hold is a bigint. The service sends at most 64 bits; any size
// works here.

/** Throws a SyntaxError if the text is not JSON. */
export function parseJson(text: string): unknown {
  // A reviver is about ten times slower, and is only needed for sixteen digits in a row.
  if (!/[0-9]{16}/.test(text)) return JSON.parse(text)
  return JSON.parse(text, reviveFromSource)
}

/** Undefined if the text is not JSON. */
export function parseJsonOrUndefined(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Throws a TypeError if a number may have been rounded, or is none of JSON. */
export function encodeJson(body: object): string {
  return JSON.stringify(body, (name, value: unknown) => {
    if (typeof value === 'bigint') return rawJson(String(value))
    // All but fractions. JSON has no Infinity and no NaN: they would be sent as null.
    if (typeof value === 'number' && !(value % 1)) exactDigits(name, value)
    return value
  })
}

/** The digits of an integer. Throws if the number may have been rounded. */
export function exactDigits(name: string, value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value)
  throw new TypeError(`${name} must be an exact integer, got ${value}: use a bigint beyond 2^53.`)
}

/** Not yet in the types. As old as `context` below. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): object }

/**
 * The digits are in `context` (Chrome 114, Firefox 135, Safari 18.4, Node 22 and later). In an older runtime this throws:
 * it would round.
 */
function reviveFromSource(_key: string, value: unknown, context?: { source: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const { source } = context as { source: string }
  return /^-?[0-9]+$/.test(source) ? BigInt(source) : value
}
