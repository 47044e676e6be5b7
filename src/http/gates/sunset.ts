import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Clock } from '../../inventory/clock.ts'

/** Whether a deprecated operation is gone: from the announced instant on. */
export function isGone({ deprecation }: Operation, clock: Clock): boolean {
  return deprecation !== undefined && clock() >= deprecation.sunset.getTime()
}

/** The gate for deprecated operations. */
export function refuseAfterSunset(clock: Clock) {
  return function refuse(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
    const { operation } = request.routeOptions.config
    if (operation === undefined || !isGone(operation, clock)) return done()
    const day = operation.deprecation?.sunset.toISOString().slice(0, 10)
    done(new PetStoreError('gone', `This operation was removed on ${day}: read one animal with GET /pets?id=ID.`))
  }
}
