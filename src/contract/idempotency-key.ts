// A string of structured fields (RFC 9651, 3.3.3) with parameters, which are ignored, or the same characters without
// quotes. Every part begins with another character than its neighbour, so matching takes linear time.
const character = String.raw`[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]`
const parameter = String.raw`; *[a-z*][a-z0-9_.*\-]*(?:=(?:"(?:${character})*"|[!#$%&'*+.^_\x60|~0-9A-Za-z:\/?=@\-]+))?`
const quotedKey = String.raw`"((?:${character}){1,255})"(?:${parameter})*`
const bareKey = String.raw`([\x21\x23-\x7e][\x20-\x7e]{0,254})`

/** The form of an `Idempotency-Key` header. Quotes, escapes and parameters make it longer than the key. */
export const idempotencyKeyForm = { pattern: `^(?:${quotedKey}|${bareKey})$`, maxLength: 1024 } as const

const form = new RegExp(idempotencyKeyForm.pattern, 'u')

/** The form in words. */
export const idempotencyKeyWords = '1 to 255 printable ASCII characters, bare or in double quotes'

/** The key in an `Idempotency-Key` header; undefined if the header is not valid. */
export function readIdempotencyKey(header: string): string | undefined {
  if (header.length > idempotencyKeyForm.maxLength) return undefined
  const [, quoted, bare] = form.exec(header) ?? []
  return quoted?.replace(/\\(.)/g, '$1') ?? bare
}
