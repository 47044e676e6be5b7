// An int64 is a JSON number with all its digits on the wire and a bigint in the program, because a JavaScript number
// silently rounds above 2^53. (Its schema is in a separate file: not every reader of JSON needs it.)

export const int64Min = -(2n ** 63n)
export const int64Max = 2n ** 63n - 1n

/** Reads a canonical decimal: an optional minus, no leading zero, no fraction, no exponent. */
export function int64FromText(text: string): bigint | undefined {
  return /^(0|-?[1-9][0-9]{0,18})$/.test(text) ? inRange(BigInt(text)) : undefined
}

/**
 * Reads a JSON number that is an integer, however it is written: `1e3`, `1.0` and `10e-1` are integers, `1.5` is not.
 */
export function int64FromJsonNumber(source: string): bigint | undefined {
  const parts = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(source)
  if (parts === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts

  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return 0n
  // /0+$/ would take quadratic time, and a body has room for 60,000 digits.
  let end = digits.length
  while (digits.charCodeAt(end - 1) === 0x30) end--
  const significant = digits.slice(0, end)
  const zeros = Number(exponent) - fraction.length + (digits.length - significant.length)
  // A negative count of zeros is a fraction. More than 19 digits cannot fit and must not be written out (1e999999999).
  if (zeros < 0 || significant.length + zeros > 19) return undefined
  return inRange(BigInt(sign + significant + '0'.repeat(zeros)))
}

function inRange(value: bigint): bigint | undefined {
  return value >= int64Min && value <= int64Max ? value : undefined
}
