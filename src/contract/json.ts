import { int64FromJsonNumber } from './int64.ts'
import type { Members } from './members.ts'

/**
 * Parses JSON with exact integers: a number that is an int64 may be a bigint, and is one if a JavaScript number is not
 * exact. Throws if the text is not JSON, and on lone surrogates, which UTF-8 cannot encode.
 * Most bodies use plain JSON.parse. Only a text that has a digit followed by a fraction, an exponent or fifteen more
 * digits (which could be rounded), or a surrogate escape, is looked at more closely. Not with a reviver: V8 takes more
 * than a microsecond for each value, which 64 KiB of small ones turn into 50 ms.
 */
export function parseJson(text: string): unknown {
  const plain: unknown = JSON.parse(text)
  if (!/[0-9][.eE]|[0-9]{16}|\\u[dD][89a-fA-F]/.test(text)) return plain
  // It is JSON, so every string in it ends.
  return exactly(JSON.parse(text.replace(stringOrNumber, (token) => (token[0] === '"' ? token : `"${mark}${token}"`))))
}

/** A string, or a number that could be rounded. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9]+[.eE][0-9.eE+-]*|-?[0-9]{16,}/g
/** How a string begins that stands for such a number. No client knows it. */
const mark = crypto.randomUUID()

/** The text is JSON but contains a lone surrogate. The message is a sentence that names the member if possible. */
export class LoneSurrogate extends SyntaxError {
  override readonly name = 'LoneSurrogate'

  constructor(member = '') {
    const where = /^[A-Za-z]\w{0,49}$/.test(member) ? member : 'A string'
    super(
      `${where} must not contain a lone surrogate (\\ud800 to \\udfff without its pair): UTF-8 cannot represent it.`,
    )
  }
}

/** Puts numbers in the place of what stands for them. One that is not an int64 becomes NaN, which no rule accepts. */
function exactly(root: unknown): unknown {
  const top: Record<string, unknown> = { '': root }
  const parts = [top]
  for (const part of parts) {
    for (const key in part) {
      const value = part[key]
      if (!key.isWellFormed()) throw new LoneSurrogate()
      if (typeof value === 'object' && value !== null) parts.push(value as Record<string, unknown>)
      if (typeof value !== 'string') continue
      if (value.startsWith(mark)) part[key] = int64FromJsonNumber(value.slice(mark.length)) ?? Number.NaN
      else if (!value.isWellFormed()) throw new LoneSurrogate(key)
    }
  }
  return top['']
}

// All but the characters that JSON never escapes. Few names have any, and JSON.stringify takes longer than this look.
const escapable = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

/** The JSON of a text. */
export function encodeText(text: string): string {
  return escapable.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** How the JSON of a resource is written, and read where it is stored. */
export function codecOf<Resource extends object>(members: Members<Resource>) {
  return { encode: encoderOf(members), decode: decoderOf(members) }
}

/** Encodes the members that a resource has. The first one, its id, is never absent. */
function encoderOf<Resource extends object>(members: Members<Resource>): (resource: Resource) => string {
  const parts = (Object.keys(members) as (keyof Resource & string)[]).map((name, index) => ({
    name,
    start: `${index === 0 ? '{' : ','}"${name}":`,
    isText: members[name].type !== 'int64',
  }))
  return (resource) => {
    let text = ''
    for (const { name, start, isText } of parts) {
      const value = resource[name]
      if (value !== undefined) text += start + (isText ? encodeText(value as string) : String(value))
    }
    return `${text}}`
  }
}

/** Decodes the JSON of a resource that was stored. */
export function decoderOf<Resource extends object>(members: Members<Resource>): (text: string) => Resource {
  const integers = (Object.keys(members) as (keyof Resource)[]).filter((name) => members[name].type === 'int64')
  return (text) => {
    const resource = parseJson(text) as Record<keyof Resource, unknown>
    for (const name of integers) {
      const value = resource[name]
      if (value !== undefined) resource[name] = BigInt(value as number | bigint)
    }
    return resource as Resource
  }
}

/** The JSON of a page. */
export function encodeList<Item>(items: readonly Item[], encode: (item: Item) => string): string {
  let text = '['
  for (const item of items) text += text.length === 1 ? encode(item) : `,${encode(item)}`
  return `${text}]`
}
