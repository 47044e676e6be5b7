import { PetStoreError } from '../../inventory/errors.ts'
import type { Clock } from '../../inventory/clock.ts'
import type { Exchange } from '../exchange.ts'
import { networkOf } from '../request/client-network.ts'
import type { ReceivedRequest } from '../request/received-request.ts'

export interface RateLimits {
  /** The gate after authentication: the limit of each key, or of the token of an invitation. */
  limitKey(exchange: Exchange): void
  /** Counts a request without a valid key for its client address. Returns a refusal if there are too many. */
  refuse(exchange: Exchange): PetStoreError | undefined
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
    { response: { headers } }: Exchange,
    policy: 'key' | 'address',
    { used, endsInMs }: Usage,
    message: string,
  ): PetStoreError | undefined {
    const seconds = Math.ceil(endsInMs / 1000)
    headers['ratelimit-policy'] = `"${policy}";q=${limit};w=${windowMs / 1000}`
    headers['ratelimit'] = `"${policy}";r=${Math.max(limit - used, 0)};t=${seconds}`
    if (used <= limit) return undefined
    return new PetStoreError('rate_limited', `${message}; try again in ${seconds} s.`, { retryAfterSeconds: seconds })
  }

  return {
    limitKey(exchange) {
      const { key, invitation } = exchange.findings
      const name = key?.id ?? (invitation && `invitation ${invitation.id}`)
      if (name === undefined) return
      const message = `This ${key === undefined ? 'token' : 'API key'} may send ${limit} requests a minute`
      const refusal = count(exchange, 'key', countKey(name), message)
      if (refusal !== undefined) throw refusal
    },
    refuse(exchange) {
      const usage = countAddress(networkOf(exchange.request.clientAddress))
      const message = `Your address may send ${limit} requests a minute without a valid API key`
      return count(exchange, 'address', usage, message)
    },
  }
}

const maxWrongInvitationsPerMinute = 10

/** Limits the wrong tokens of invitations that an address may send. It needs no setting. */
export function limitInvitations(clock: Clock): (request: Pick<ReceivedRequest, 'clientAddress'>) => void {
  const count = countInWindows(clock)

  return ({ clientAddress }) => {
    const { used, endsInMs } = count(networkOf(clientAddress))
    if (used <= maxWrongInvitationsPerMinute) return
    const retryAfterSeconds = Math.ceil(endsInMs / 1000)
    throw new PetStoreError(
      'rate_limited',
      `Your address may try ${maxWrongInvitationsPerMinute} wrong invitations a minute; try again in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    )
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
