import { rawJson } from '../contract/raw-json.ts'

/**
 * Parses JSON and keeps the digits of numbers that a JavaScript number cannot hold, such as 9007199254740993: as a value
 * that `JSON.stringify` writes as it was read.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown)
}

function keepDigits(_key: string, value: unknown, { source }: { source: string }): unknown {
  return typeof value === 'number' && String(value) !== source ? rawJson(source) : value
}
