import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../contract/environment.ts'
import { includesPermission } from '../../contract/operation.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { keyHash, mayBeKey } from '../../inventory/key-secret.ts'
import { type ApiKey, keyState, type Keys } from '../../inventory/keys.ts'
import type { Clock } from '../../inventory/clock.ts'
import { isPreflight } from './cors.ts'
import type { RateLimits } from './rate-limit.ts'
import { challenge, unauthorized } from '../request/credentials.ts'
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

/** In characters. A client may send any number of spaces before its key. */
const maxRememberedLength = 200

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
  // By Authorization header: hashing the secret takes longer than everything else here.
  const known = cache.section<ApiKey>('keys', 10_000, () => 1)

  /** The key of a header, if it is known without a query. */
  function remembered(header: string): ApiKey | undefined {
    return (header.length > maxRememberedLength ? undefined : known.get(header)) ?? recalled(header)
  }

  function recalled(header: string): ApiKey | undefined {
    const secret = secretOf(header)
    if (secret === undefined || !mayBeKey(secret, environment)) return undefined
    const hash = keyHash(secret)
    if (hash === ownKey?.hash) return ownKey.key
    const keep = keepAs(header)
    return keep(keys.recall(hash))
  }

  async function lookUp(header: string, secret: string): Promise<ApiKey | undefined> {
    const keep = keepAs(header)
    return keep(await keys.find(keyHash(secret)))
  }

  /** Call it before a key is looked up. The returned function remembers the key that was found, and returns it. */
  function keepAs(header: string): (key: ApiKey | undefined) => ApiKey | undefined {
    const keep = known.reading()
    return (key) => {
      if (key !== undefined && header.length <= maxRememberedLength) keep(header, key)
      return key
    }
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
    if (!(error instanceof PetStoreError && error.code === 'unauthorized')) return error as Error
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
        const key = remembered(header)
        if (key === undefined) {
          const secret = secretOf(header)
          if (secret === undefined || !mayBeKey(secret, environment)) throw unauthorized()
          lookUp(header, secret)
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

    recognise: (header) => (header === undefined ? undefined : use(remembered(header))),
  }
}

/** The secret of an Authorization header. */
function secretOf(header: string): string | undefined {
  return /^bearer +([^ ]+)$/i.exec(header)?.[1]
}

/** The gate for the permission of the operation. */
export function authorize(request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void {
  const needed = request.routeOptions.config.operation?.permission ?? 'read'
  const held = request.apiKey?.permission
  if (held === undefined || includesPermission(held, needed)) return done()
  const message = needed === 'admin' ? 'Only an admin key may do this.' : 'This API key may read but not write.'
  done(new PetStoreError('forbidden', message))
}
