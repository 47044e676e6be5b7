import type { FastifyReply, FastifyRequest } from 'fastify'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Clock } from '../../inventory/storage.ts'

const window = 60_000

/** At most `limit` requests a minute for each key, told in RateLimit headers with every answer. */
export function rateLimit(limit: number, clock: Clock) {
  const policy = `"key";q=${limit};w=${window / 1000}`
  let windows = new Map<string, { ends: number; used: number }>()
  let sweepAt = 0

  return function limitRate(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    if (request.apiKey === undefined) return done()
    const now = clock()
    if (now >= sweepAt) {
      windows = new Map([...windows].filter(([, { ends }]) => ends > now))
      sweepAt = now + window
    }

    const { id } = request.apiKey
    let current = windows.get(id)
    if (current === undefined || current.ends <= now) {
      current = { ends: now + window, used: 0 }
      windows.set(id, current)
    }
    const seconds = Math.ceil((current.ends - now) / 1000)
    const remaining = limit - ++current.used
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"key";r=${Math.max(remaining, 0)};t=${seconds}`)
    if (remaining >= 0) return done()
    done(
      new PetStoreError(
        'rate_limited',
        `This API key may make ${limit} requests a minute; try again in ${seconds} s.`,
        {
          'retry-after': String(seconds),
        },
      ),
    )
  }
}
