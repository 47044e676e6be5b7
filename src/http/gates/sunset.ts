import type { FastifyReply, FastifyRequest } from 'fastify'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Clock } from '../../inventory/clock.ts'

/** The gate for deprecated operations: they are gone from the announced instant on. */
export function refuseAfterSunset(clock: Clock) {
  return function refuse(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
    const sunset = request.routeOptions.config.operation?.deprecation?.sunset
    if (sunset === undefined || clock() < sunset.getTime()) return done()
    const day = sunset.toISOString().slice(0, 10)
    done(new PetStoreError('gone', `This operation was removed on ${day}: read one animal with GET /pets?id=ID.`))
  }
}
