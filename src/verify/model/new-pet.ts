import { statuses } from '../shop/expect.ts'
import { int64Of, isObject, type Json, JsonNumber, member } from '../shop/json.ts'
import { readJson } from '../shop/read-json.ts'

/** What a create asked for, as far as the contract speaks of it. */
export interface SentPet {
  /** Silent: the contract does not say whether such a body is invalid. */
  verdict: 'valid' | 'invalid' | 'silent'
  name?: string
  /** Whether the name must come back as it was sent. The contract does not say that white space at its ends counts. */
  isExactName: boolean
  categoryId?: bigint
  status?: string
}

/** Longer names may be refused, but not changed. */
const maxOrdinaryNameLength = 100
const members = new Set(['name', 'categoryId', 'status'])

export function readSentPet(body: string | undefined, contentType = 'application/json'): SentPet {
  const value = parse(body ?? '')
  if (value === undefined) return { verdict: 'silent', isExactName: false }
  if (!isObject(value)) return { verdict: 'invalid', isExactName: false }
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
    isExactName: typeof name === 'string' && isKeptName(name),
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

function isKeptName(name: string): boolean {
  return name.trim() === name && name.normalize('NFC') === name && !/[\p{Cc}\p{Cs}]/u.test(name)
}

function isOrdinaryName(name: string): boolean {
  return name !== '' && name.length <= maxOrdinaryNameLength && isKeptName(name)
}
