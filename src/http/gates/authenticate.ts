import type { Environment } from '../../contract/environment.ts'
import { includesPermission } from '../../contract/operation.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { type ApiKey, keyState, type Keys } from '../../inventory/keys.ts'
import type { Clock } from '../../inventory/clock.ts'
import type { Exchange, Gate } from '../exchange.ts'
import { isPreflight } from './cors.ts'
import type { FindInvitation } from './invitation.ts'
import type { RateLimits } from './rate-limit.ts'
import { challenge, noInvitation, unauthorized } from '../replies/challenge.ts'
import { headerHashes } from '../request/header-hashes.ts'
import type { VersionedCache } from '../cache/versioned-cache.ts'

export interface AuthenticationOptions {
  keys: Keys
  cache: VersionedCache
  clock: Clock
  environment: Environment
  /** A key from the settings, identified by its hash; it is not stored. */
  ownKey?: { hash: string; key: ApiKey } | undefined
  /** Called for every use of a stored key. */
  keyUsed: (key: ApiKey, at: number) => void
  /** For operations that take invitations in the place of keys. */
  findInvitation: FindInvitation
  /** Limits attempts without a valid key. */
  refuse?: RateLimits['refuse'] | undefined
}

/**
 * The gate for everything under /v1. A key that is missing, malformed, unknown, expired or revoked gets the same 401. A
 * key that was used lately is known without waiting.
 */
export function authenticate(options: AuthenticationOptions): Gate {
  const { keys, cache, clock, environment, ownKey, keyUsed, findInvitation, refuse } = options
  const hashOf = headerHashes(environment)
  const known = cache.section<ApiKey>('keys', 10_000, () => 1)

  /** The key with this hash, if it is known without waiting. */
  function remembered(hash: string): ApiKey | undefined {
    if (hash === ownKey?.hash) return ownKey.key
    const cached = known.get(hash)
    if (cached !== undefined) return cached
    const storeKey = known.reading()
    const key = keys.recall(hash)
    if (key !== undefined) storeKey(hash, key)
    return key
  }

  async function lookUp(hash: string): Promise<ApiKey | undefined> {
    const storeKey = known.reading()
    const key = await keys.find(hash)
    if (key !== undefined) storeKey(hash, key)
    return key
  }

  /** Accepts the key if it is active, and records its use. */
  function accept(exchange: Exchange, key: ApiKey | undefined): void {
    const now = clock()
    if (key === undefined || keyState(key, now) !== 'active') throw refusalOf(exchange)
    if (key !== ownKey?.key) keyUsed(key, now)
    exchange.findings.key = key
  }

  async function acceptInvitation(exchange: Exchange, hash: string | undefined): Promise<void> {
    exchange.findings.invitation = await findInvitation(exchange.request, hash)
    if (exchange.findings.invitation === undefined) throw refusalOf(exchange, noInvitation)
  }

  function refusalOf(exchange: Exchange, refusal = unauthorized): PetStoreError {
    const limited = refuse?.(exchange)
    if (limited !== undefined) return limited
    challenge(exchange)
    return refusal()
  }

  return (exchange) => {
    if (!exchange.findings.requiresKey || isPreflight(exchange.request)) return undefined
    const { authorization, repeated } = exchange.request.headers
    const isSingle = authorization !== undefined && repeated?.has('authorization') !== true
    const hash = isSingle ? hashOf(authorization) : undefined
    if (exchange.findings.route?.operation?.credential === 'invitation') return acceptInvitation(exchange, hash)
    if (hash === undefined) throw refusalOf(exchange)
    const key = remembered(hash)
    if (key === undefined) return lookUp(hash).then((found) => accept(exchange, found))
    return accept(exchange, key)
  }
}

/** The gate for the permission of the operation. */
export function authorize({ findings: { route, key } }: Exchange): void {
  const needed = route?.operation?.permission ?? 'read'
  if (key === undefined || includesPermission(key.permission, needed)) return
  const message = needed === 'admin' ? 'Only an admin key may do this.' : 'This API key may read but not write.'
  throw new PetStoreError('forbidden', message)
}
