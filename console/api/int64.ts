import type { Int64 } from '../../client/src/index.ts'

export const int64Min = -(2n ** 63n)
export const int64Max = 2n ** 63n - 1n

/** Whether a text is an integer of 64 bits as the service writes it. */
export function isInt64(text: string): boolean {
  if (!/^(0|-?[1-9][0-9]{0,18})$/.test(text)) return false
  const value = BigInt(text)
  return value >= int64Min && value <= int64Max
}

/** Exact: a bigint if a number would be rounded. `text` must be a 64-bit integer. */
export function toInt64(text: string): Int64 {
  const value = BigInt(text)
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** The id of an animal or an order in an address. */
export function isId(text: string): boolean {
  return isInt64(text) && BigInt(text) > 0n
}
