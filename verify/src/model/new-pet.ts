import { statuses } from '../shop/expect.ts'
import { int64Of, isObject, type Json, JsonNumber, type JsonObject, member } from '../shop/json.ts'
import { readJson } from '../shop/read-json.ts'

/** What a create asked for, as far as the contract speaks of it. */
export interface SentPet {
  /** Silent: the contract does not say whether such a body is invalid. */
  verdict: 'valid' | 'invalid' | 'silent'
  /** The rule by which it is refused, if it is invalid. */
  rule?: string
  name?: string
  categoryId?: bigint
  status?: string
}

const maxOrdinaryNameLength = 100
/** A longer body may be too large. */
const maxOrdinaryBodyLength = 4000
/** A charset says what JSON is anyway. */
const jsonTypes = /^application\/json[ \t]*(?:;[ \t]*charset=utf-8)?$/i
const members = new Set(['name', 'categoryId', 'status'])

export function readSentPet(body = '', contentType = 'application/json'): SentPet {
  const value = parse(body)
  if (value === undefined) return { verdict: 'silent' }
  const isOfContract = jsonTypes.test(contentType) && body.length <= maxOrdinaryBodyLength
  if (!isObject(value)) return isOfContract ? { verdict: 'invalid', rule: 'C-4.2-9' } : { verdict: 'silent' }
  const name = member(value, 'name')
  const category = member(value, 'categoryId')
  const categoryId = int64Of(category)
  const status = member(value, 'status')
  const isStatus = typeof status === 'string' && (statuses as readonly string[]).includes(status)
  const rule = brokenRule(value)
  const isOrdinary =
    typeof name === 'string' &&
    isOrdinaryName(name) &&
    category instanceof JsonNumber &&
    /^-?\d+$/.test(category.source) &&
    status !== null &&
    Object.keys(value).every((one) => members.has(one)) &&
    isOfContract
  return {
    verdict: rule !== undefined ? (isOfContract ? 'invalid' : 'silent') : isOrdinary ? 'valid' : 'silent',
    ...(rule !== undefined && { rule }),
    ...(typeof name === 'string' && { name }),
    ...(categoryId !== undefined && { categoryId }),
    ...(isStatus && { status }),
  }
}

/** The first rule that a body breaks. Whether a status may be null is not in the contract. */
function brokenRule(value: JsonObject): string | undefined {
  const [name, category, status] = ['name', 'categoryId', 'status'].map((one) => member(value, one))
  if (name === undefined) return 'C-4.2-7'
  if (category === undefined) return 'C-4.2-8'
  if (typeof name !== 'string') return 'C-4.2-10'
  if (int64Of(category) === undefined) return isInteger(category) ? 'C-4.2-12' : 'C-4.2-11'
  const isStatus = status === undefined || status === null || (statuses as readonly Json[]).includes(status)
  return isStatus ? undefined : 'C-4.2-13'
}

function isInteger(value: Json | undefined): boolean {
  return value instanceof JsonNumber && Number.isInteger(Number(value.source))
}

function parse(body: string): Json | undefined {
  try {
    return readJson(body)
  } catch {
    return undefined
  }
}

/** Other names may be refused, but not changed. */
function isOrdinaryName(name: string): boolean {
  const isShort = name !== '' && name.length <= maxOrdinaryNameLength
  return (
    isShort &&
    name.trim() === name &&
    name.normalize('NFC') === name &&
    !/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(name)
  )
}
