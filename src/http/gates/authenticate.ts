import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../contract/environment.ts'
import { includesPermission } from '../../contract/operation.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { type ApiKey, keyState, type Keys } from '../../inventory/keys.ts'
import type { Clock } from '../../inventory/clock.ts'
import { isPreflight } from './cors.ts'
import type { RateLimits } from './rate-limit.ts'
import { challenge, isUnauthorized, unauthorized } from '../request/credentials.ts'
import { headerHashes } from '../request/header-hashes.ts'
import { isRepeated } from '../request/raw-headers.ts'
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
  /** Limits attempts without a valid key. */
  refuse?: RateLimits['refuse'] | undefined
}

export interface Authentication {
  /**
   * The gate for everything under /v1. A key that is missing, malformed, unknown, expired or revoked gets the same 401.
   */
  authenticate(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void
  /** The active key of an Authorization header, if it is known without waiting. */
  recognise(header: string | undefined): ApiKey | undefined
}

export function authentication(options: AuthenticationOptions): Authentication {
  const { keys, cache, clock, environment, ownKey, keyUsed, refuse } = options
  const hashOf = headerHashes(environment)
  const known = cache.section<ApiKey>('keys', 10_000, () => 1)

  /** The key with this hash, if it is known without waiting. */
  function remembered(hash: string): ApiKey | undefined {
    if (hash === ownKey?.hash) return ownKey.key
    const cached = known.get(hash)
    if (cached !== undefined) return cached
    const keep = known.reading()
    const key = keys.recall(hash)
    if (key !== undefined) keep(hash, key)
    return key
  }

  async function lookUp(hash: string): Promise<ApiKey | undefined> {
    const keep = known.reading()
    const key = await keys.find(hash)
    if (key !== undefined) keep(hash, key)
    return key
  }

  /** Returns the key if it is active, and records its use. */
  function use(key: ApiKey | undefined): ApiKey | undefined {
    const now = clock()
    if (key === undefined || keyState(key, now) !== 'active') return undefined
    if (key !== ownKey?.key) keyUsed(key, now)
    return key
  }

  function accept(request: FastifyRequest, key: ApiKey | undefined): void {
    request.apiKey = use(key)
    if (request.apiKey === undefined) throw unauthorized()
  }

  function refusalOf(error: unknown, request: FastifyRequest, reply: FastifyReply): Error {
    if (!isUnauthorized(error)) return error as Error
    const refusal = refuse?.(request, reply, error) ?? error
    if (refusal === error) challenge(request, reply)
    return refusal
  }

  return {
    authenticate(request, reply, done) {
      try {
        if (isPreflight(request)) return done()
        const header = request.headers.authorization
        if (header === undefined) throw unauthorized()
        if (isRepeated(request.raw.rawHeaders, 'authorization')) throw unauthorized()
        const hash = hashOf(header)
        if (hash === undefined) throw unauthorized()
        const key = remembered(hash)
        if (key === undefined) {
          lookUp(hash)
            .then((found) => accept(request, found))
            .then(
              () => done(),
              (error: unknown) => done(refusalOf(error, request, reply)),
            )
          return
        }
        accept(request, key)
      } catch (error) {
        return done(refusalOf(error, request, reply))
      }
      done()
    },

    recognise(header) {
      const hash = header === undefined ? undefined : hashOf(header)
      return hash === undefined ? undefined : use(remembered(hash))
    },
  }
}

/** The gate for the permission of the operation. */
export function authorize(request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void {
  const needed = request.routeOptions.config.operation?.permission ?? 'read'
  const held = request.apiKey?.permission
  if (held === undefined || includesPermission(held, needed)) return done()
  const message = needed === 'admin' ? 'Only an admin key may do this.' : 'This API key may read but not write.'
  done(new PetStoreError('forbidden', message))
}
