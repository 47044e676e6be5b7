/** In every Node that this service runs on; not yet in TypeScript's library. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(source: string): object
  isRawJSON(value: unknown): boolean
}

/**
 * Parses JSON and keeps the digits of numbers that a JavaScript number cannot hold, such as 9007199254740993: as a value
 * that `JSON.stringify` writes as it was read.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown)
}

/** Whether this is such a value. */
export const isRawJson = isRawJSON

function keepDigits(_key: string, value: unknown, { source }: { source: string }): unknown {
  return typeof value === 'number' && String(value) !== source ? rawJSON(source) : value
}
