import { int64FromJsonNumber } from './int64.ts'
import type { Members } from './members.ts'

/**
 * Parses JSON with exact integers: a number that is an int64 may be a bigint, and is one if a JavaScript number is not
 * exact. Throws if the text is not JSON, and on lone surrogates, which UTF-8 cannot encode.
 * Most bodies use plain JSON.parse: up to fifteen digits are exact, so that 1.0 is 1 and 1.5 is no integer. Only a text
 * with a longer number, with one that has a long exponent, or with a surrogate escape is looked at more closely. Not
 * with a reviver: V8 takes more than a microsecond for each value, which 64 KiB of small ones turn into 50 ms.
 */
export function parseJson(text: string): unknown {
  const plain: unknown = JSON.parse(text)
  return needsCare.test(text) ? exactly(JSON.parse(withMarks(text))) : plain
}

const needsCare = /[0-9.]{16}|[0-9.]{7}[eE]|[0-9][eE][+-]?[0-9]{2}|\\u[dD][89a-fA-F]/
/** A string, or a number that could be rounded. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9.]+[eE][0-9+-]+|-?[0-9.]{16,}/g
/** How a string begins that stands for such a number. No client knows it. */
const mark = crypto.randomUUID().slice(0, 13)

/** Puts a string in the place of each such number. It is JSON, so every string in it ends. */
function withMarks(text: string): string {
  let result = ''
  let end = 0
  for (const match of text.matchAll(stringOrNumber)) {
    const [token] = match
    if (token.startsWith('"')) continue
    result += `${text.slice(end, match.index)}"${mark}${token}"`
    end = match.index + token.length
  }
  return result + text.slice(end)
}

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

/** Puts numbers in the place of what stands for them. */
function exactly(root: unknown): unknown {
  const top: Record<string, unknown> = { '': root }
  const parts: object[] = [top]
  for (const part of parts) {
    if (Array.isArray(part)) {
      for (let index = 0; index < part.length; index++) part[index] = exactValue(part[index], '', parts)
      continue
    }
    const members = part as Record<string, unknown>
    for (const key in members) {
      if (!key.isWellFormed()) throw new LoneSurrogate()
      members[key] = exactValue(members[key], key, parts)
    }
  }
  return top['']
}

/** Adds an object or array to `parts`. */
function exactValue(value: unknown, member: string, parts: object[]): unknown {
  if (typeof value === 'object' && value !== null) parts.push(value)
  if (typeof value !== 'string') return value
  if (value.startsWith(mark)) return numberOf(value.slice(mark.length))
  if (!value.isWellFormed()) throw new LoneSurrogate(member)
  return value
}

/** NaN, which no rule accepts, if it is not an int64. The first test is quick: fifteen digits are exact. */
function numberOf(source: string): number | bigint {
  const number = source.length <= 15 ? Number(source) : 0
  return number !== 0 && Number.isSafeInteger(number) ? number : (int64FromJsonNumber(source) ?? Number.NaN)
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

/** The JSON of an object whose id is an int64: the id, then the others in the order of the object. */
export function encodeWithId({ id, ...others }: { id: bigint }): string {
  return `{"id":${id},${JSON.stringify(others).slice(1)}`
}

/** The JSON of a page. */
export function encodeList<Item>(items: readonly Item[], encode: (item: Item) => string): string {
  let text = '['
  for (const item of items) text += text.length === 1 ? encode(item) : `,${encode(item)}`
  return `${text}]`
}
