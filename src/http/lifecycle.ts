import type { FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../inventory/errors.ts'

/** Whether the service takes requests. Draining: it finishes those it has and sends new ones elsewhere. */
export interface Lifecycle {
  readonly draining: boolean
  drain(): void
}

export function lifecycle(): Lifecycle {
  let draining = false
  return {
    get draining() {
      return draining
    },
    drain() {
      draining = true
    },
  }
}

/** While draining, answers new requests with 503 and asks every client to let go of its connection. */
export function refuseWhileDraining(state: Lifecycle) {
  return function refuse(_request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    if (!state.draining) return done()
    reply.header('connection', 'close')
    done(unavailable('The service is stopping; try again.'))
  }
}
