import type { ShopRequest } from '../shop/exchange.ts'
import { statuses } from '../shop/expect.ts'
import { vainConditions } from '../shop/vain-conditions.ts'
import { readSentPet, type SentPet } from './new-pet.ts'

/** A request of the contract, as far as the contract says what its response is. */
export type Operation =
  | {
      kind: 'list'
      limit: number | undefined
      status: string | undefined
      /** Whether the contract has all of its parameters. */
      isPlain: boolean
    }
  | { kind: 'create'; sent: SentPet }
  | { kind: 'get'; id: bigint }

/**
 * Undefined if the contract does not have it, or if it has headers that may change its response: none does so without the
 * key.
 */
export function operationOf(request: ShopRequest): Operation | undefined {
  const { method, path, headers = {}, body, contentType, authorization } = request
  if (authorization !== null && !Object.entries(headers).every(isHarmless)) return undefined
  const [room = '', query = ''] = path.split('?')
  if (method === 'GET' && room === '/pets') return listOf(new URLSearchParams(query))
  if (method === 'POST' && room === '/pets') return { kind: 'create', sent: readSentPet(body, contentType) }
  const id = /^\/pets\/(0|-?[1-9]\d{0,18})\??$/.exec(path)?.[1]
  if (method !== 'GET' || id === undefined || BigInt.asIntN(64, BigInt(id)) !== BigInt(id)) return undefined
  return { kind: 'get', id: BigInt(id) }
}

/** Headers that carry a key, also where the contract has none, or say who a client is, what it would take or how it sends. */
const harmlessHeaders = [
  /^(?:authorization|transfer-encoding|x-api-key|api-key|cookie|proxy-authorization)$/i,
  /^(?:accept|accept-encoding|accept-language|user-agent|origin|referer|cache-control|pragma|dnt)$/i,
  /^(?:via|forwarded|cf-connecting-ip|true-client-ip|traceparent|tracestate|te|priority|expect|content-type)$/i,
  /^(?:accept-charset|content-length|date|from|save-data|client-ip)$/i,
  /^(?:x-|sec-|upgrade-insecure-requests$)/i,
  /^(?:apikey|token|key|authentication|auth)$/i,
]

function isHarmless([name, value]: [string, string]): boolean {
  return vainConditions[name] === value || harmlessHeaders.some((names) => names.test(name))
}

function listOf(query: URLSearchParams): Operation {
  const [limits, chosen] = [query.getAll('limit'), query.getAll('status')]
  const limit = limits.length === 1 && /^(?:[1-9]\d?|100)$/.test(limits[0] ?? '') ? Number(limits[0]) : undefined
  const status = chosen.length === 1 ? statuses.find((one) => one === chosen[0]) : undefined
  const isOther = [...query.keys()].some((name) => name !== 'limit' && name !== 'status')
  const isPlain =
    !isOther && (limits.length === 0 || limit !== undefined) && (chosen.length === 0 || status !== undefined)
  return { kind: 'list', limit, status, isPlain }
}

export type Credential = 'right' | 'missing' | 'wrong' | 'silent'

/** Whether a request has the key as the contract says it. How the word Bearer is written is not in the contract. */
export function credentialOf({ authorization: usual, headers = {} }: ShopRequest, key: string): Credential {
  const spelled = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1]
  const authorization = spelled ?? usual
  if (authorization === undefined || authorization === `Bearer ${key}`) return 'right'
  if (authorization === null) return 'missing'
  const [scheme = '', ...rest] = authorization.trim().split(/[ \t]+/)
  return scheme.toLowerCase() === 'bearer' && rest.join(' ') === key ? 'silent' : 'wrong'
}
