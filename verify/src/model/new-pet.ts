import { statuses } from '../shop/expect.ts'
import { int64Of, isObject, type Json, JsonNumber, member } from '../shop/json.ts'
import { readJson } from '../shop/read-json.ts'

/** What a create asked for, as far as the contract speaks of it. */
export interface SentPet {
  /** Silent: the contract does not say whether such a body is invalid. */
  verdict: 'valid' | 'invalid' | 'silent'
  name?: string
  categoryId?: bigint
  status?: string
}

const maxOrdinaryNameLength = 100
const members = new Set(['name', 'categoryId', 'status'])

export function readSentPet(body: string | undefined, contentType = 'application/json'): SentPet {
  const value = parse(body ?? '')
  if (value === undefined) return { verdict: 'silent' }
  if (!isObject(value)) return { verdict: 'invalid' }
  const name = member(value, 'name')
  const category = member(value, 'categoryId')
  const categoryId = int64Of(category)
  const status = member(value, 'status')
  const isStatus = typeof status === 'string' && (statuses as readonly string[]).includes(status)
  const isInvalid = typeof name !== 'string' || categoryId === undefined || (status !== undefined && !isStatus)
  const isOrdinary =
    typeof name === 'string' &&
    isOrdinaryName(name) &&
    category instanceof JsonNumber &&
    /^-?\d+$/.test(category.source) &&
    Object.keys(value).every((one) => members.has(one)) &&
    contentType === 'application/json'
  return {
    verdict: isInvalid ? 'invalid' : isOrdinary ? 'valid' : 'silent',
    ...(typeof name === 'string' && { name }),
    ...(categoryId !== undefined && { categoryId }),
    ...(isStatus && { status }),
  }
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
  return isShort && name.trim() === name && name.normalize('NFC') === name && !/[\p{Cc}\p{Cs}]/u.test(name)
}
