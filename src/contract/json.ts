import { type Category, categoryMembers } from './category.ts'
import type { Author, ShopEvent } from './event.ts'
import { int64FromJsonNumber } from './int64.ts'
import type { CategoryInventory, Inventory } from './inventory.ts'
import type { Members } from './members.ts'
import { type Order, orderMembers } from './order.ts'
import { type Pet, petMembers } from './pet.ts'

/**
 * Parses JSON with exact integers: a number that is an int64 may be a bigint, and is one if a JavaScript number is not
 * exact. Throws if the text is not JSON, and on lone surrogates, which UTF-8 cannot encode.
 * Most bodies use plain JSON.parse. The reviver is about ten times slower. It runs only if the text has a digit
 * followed by a fraction, an exponent or fifteen more digits (which could be rounded), or a surrogate escape.
 */
export function parseJson(text: string): unknown {
  return /[0-9][.eE]|[0-9]{16}|\\u[dD][89a-fA-F]/.test(text) ? JSON.parse(text, exactly) : JSON.parse(text)
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

function exactly(key: string, value: unknown, context?: { source: string }): unknown {
  if (!key.isWellFormed()) throw new LoneSurrogate()
  if (typeof value === 'string' && !value.isWellFormed()) throw new LoneSurrogate(key)
  if (typeof value !== 'number' || context === undefined) return value
  // A number that is not an int64 becomes NaN, which no rule accepts: 1.00000000000000000001 must not become 1.
  return int64FromJsonNumber(context.source) ?? Number.NaN
}

/**
 * The JSON of an animal: members in the contract's order, all digits of an int64. Written out, because pages of animals
 * are encoded most: `encoderOf` takes half as long again.
 */
export function encodePet(pet: Pet): string {
  const start = `{"id":${pet.id},"name":${encodeText(pet.name)},"categoryId":${pet.categoryId}`
  return pet.status === undefined ? `${start}}` : `${start},"status":"${pet.status}"}`
}

// All but the characters that JSON never escapes. Few names have any, and JSON.stringify takes longer than this look.
const escapable = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

function encodeText(text: string): string {
  return escapable.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** Reads what `encodePet` wrote. */
export const decodePet = decoderOf<Pet>(petMembers)

export function encodePets(pets: readonly Pet[]): string {
  return encodeList(pets, encodePet)
}

export const encodeOrder = encoderOf<Order>(orderMembers)
/** Reads what `encodeOrder` wrote. */
export const decodeOrder = decoderOf<Order>(orderMembers)

export const encodeCategory = encoderOf<Category>(categoryMembers)
/** Reads what `encodeCategory` wrote. */
export const decodeCategory = decoderOf<Category>(categoryMembers)

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
function decoderOf<Resource extends object>(members: Members<Resource>): (text: string) => Resource {
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

/** The JSON of an inventory. */
export function encodeInventory(inventory: Inventory): string {
  const categories = encodeList(inventory.categories, encodeCategoryInventory)
  return `{${encodeCounts(inventory)},"categories":${categories},"others":${inventory.others}}`
}

function encodeCategoryInventory(category: CategoryInventory): string {
  const name = category.name === undefined ? '' : `,"name":${encodeText(category.name)}`
  return `{"id":${category.id}${name},${encodeCounts(category)}}`
}

function encodeCounts({ total, available, pending, sold, none }: Omit<CategoryInventory, 'id'>): string {
  return `"total":${total},"available":${available},"pending":${pending},"sold":${sold},"none":${none}`
}

/** The JSON of an event, a CloudEvent. `source` is the base address of the service. */
export function encodeEvent({ id, type, subject, at, data, author }: ShopEvent, source: string): string {
  const path = type.startsWith('pet') ? 'pets' : 'store/orders'
  return (
    `{"specversion":"1.0","id":"${id}","source":${JSON.stringify(source)},"type":"petstore.${type}",` +
    `"subject":"${path}/${subject}","time":"${new Date(at).toISOString()}",` +
    `"datacontenttype":"application/json"${author === undefined ? '' : `,${author.slice(1, -1)}`},"data":${data}}`
  )
}

/** The JSON of an author: CloudEvents extension attributes, whose names have lower-case letters and digits only. */
export function encodeAuthor({ keyId: keyid, keyName: keyname, requestId: requestid }: Author): string {
  return JSON.stringify({ keyid, keyname, requestid })
}

/** How the JSON of every author with this key begins. */
export function authorPrefix(keyId: string): string {
  return `${JSON.stringify({ keyid: keyId }).slice(0, -1)},`
}

/** The JSON of a page. */
export function encodeList<Item>(items: readonly Item[], encode: (item: Item) => string): string {
  let text = '['
  for (const item of items) text += text.length === 1 ? encode(item) : `,${encode(item)}`
  return `${text}]`
}
