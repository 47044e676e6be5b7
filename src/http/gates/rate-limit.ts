import type { FastifyReply, FastifyRequest } from 'fastify'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Clock } from '../../inventory/clock.ts'
import { networkOf } from '../request/client-network.ts'

export interface RateLimits {
  /** The gate after authentication: the limit of each key. */
  limitKey(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void
  /** Counts a request without a valid key for its client address. Returns its refusal, 401 or 429. */
  refuse(request: FastifyRequest, reply: FastifyReply, unauthorized: PetStoreError): PetStoreError
}

const windowMs = 60_000
/** For keys and addresses. Above this number the oldest window is dropped. */
const maxWindows = 100_000

/**
 * Limits requests to `limit` per minute, with RateLimit headers on every response. A valid key is not limited by its
 * address.
 */
export function rateLimits(limit: number, clock: Clock): RateLimits {
  const countKey = countInWindows(clock)
  const countAddress = countInWindows(clock)

  /** Returns a refusal if the limit is exceeded. */
  function count(
    reply: FastifyReply,
    policy: 'key' | 'address',
    { used, endsInMs }: Usage,
    message: string,
  ): PetStoreError | undefined {
    const seconds = Math.ceil(endsInMs / 1000)
    reply.header('ratelimit-policy', `"${policy}";q=${limit};w=${windowMs / 1000}`)
    reply.header('ratelimit', `"${policy}";r=${Math.max(limit - used, 0)};t=${seconds}`)
    if (used <= limit) return undefined
    return new PetStoreError('rate_limited', `${message}; try again in ${seconds} s.`, { retryAfterSeconds: seconds })
  }

  return {
    limitKey({ apiKey }, reply, done) {
      if (apiKey === undefined) return done()
      done(count(reply, 'key', countKey(apiKey.id), `This API key may send ${limit} requests a minute`))
    },
    refuse(request, reply, unauthorized) {
      const usage = countAddress(networkOf(request.ip))
      const message = `Your address may send ${limit} requests a minute without a valid API key`
      return count(reply, 'address', usage, message) ?? unauthorized
    },
  }
}

interface Usage {
  used: number
  endsInMs: number
}

/** Counts by name. A minute begins with the first use after the last one ended. */
function countInWindows(clock: Clock): (name: string) => Usage {
  // Ordered by their end.
  const windows = new Map<string, { endsAt: number; used: number }>()

  function open(name: string, now: number) {
    windows.delete(name)
    const window = { endsAt: now + windowMs, used: 0 }
    windows.set(name, window)
    for (const [oldest, { endsAt }] of windows) {
      if (endsAt > now && windows.size <= maxWindows) break
      windows.delete(oldest)
    }
    return window
  }

  return (name) => {
    const now = clock()
    const known = windows.get(name)
    const isOver = known === undefined || known.endsAt <= now || known.endsAt > now + windowMs
    const window = isOver ? open(name, now) : known
    window.used++
    return { used: window.used, endsInMs: window.endsAt - now }
  }
}
