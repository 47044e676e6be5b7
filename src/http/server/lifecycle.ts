import type { FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../../inventory/errors.ts'

/** Whether the service takes requests. First it serves, then it may leave for a while, then it drains. */
export interface Lifecycle {
  readonly stage: 'serving' | 'leaving' | 'draining'
  /** It is not ready any more, and still answers: whoever passes requests on has time to notice. */
  leave(): void
  /** It finishes the requests it has and sends new ones elsewhere. */
  drain(): void
}

export function lifecycle(): Lifecycle {
  let stage: Lifecycle['stage'] = 'serving'
  return {
    get stage() {
      return stage
    },
    leave() {
      if (stage === 'serving') stage = 'leaving'
    },
    drain() {
      stage = 'draining'
    },
  }
}

/** Asks every client of a service that stops to let go of its connection, and while draining answers with 503. */
export function refuseWhileDraining(state: Lifecycle) {
  return function refuse(_request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    if (state.stage === 'serving') return done()
    reply.header('connection', 'close')
    done(state.stage === 'draining' ? unavailable('The service is stopping; try again.') : undefined)
  }
}
