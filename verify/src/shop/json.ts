/** A number as it was written, so that no digit of an int64 is lost. */
export class JsonNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

export type Json = null | boolean | string | JsonNumber | Json[] | JsonObject
export interface JsonObject {
  [member: string]: Json
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
}

/** A member of an object; undefined if there is none. Never one that the object inherits. */
export function member(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** A text; empty if the value is none. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n
/** An int64 has at most 19 digits. */
const maxDigits = 19

/** The exact value of an integer of 64 bits, however it is written (`1.0` and `1e3` are integers), else undefined. */
export function int64Of(value: Json | undefined): bigint | undefined {
  if (!(value instanceof JsonNumber)) return undefined
  // As most are written, and too short to be outside.
  if (value.source.length < maxDigits && /^-?\d+$/.test(value.source)) return BigInt(value.source)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(value.source) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  if (digits === '') return 0n
  const significant = withoutEndZeros(digits)
  const zeros = Number(exponent) - fraction.length + digits.length - significant.length
  if (zeros < 0 || significant.length + zeros > maxDigits) return undefined
  const integer = BigInt(`${sign}${significant}${'0'.repeat(zeros)}`)
  return integer >= minInt64 && integer <= maxInt64 ? integer : undefined
}

/** In a time that grows with the length only: `/0+$/` tries anew at every zero. */
function withoutEndZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}
