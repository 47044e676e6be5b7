import { PetStoreError } from '../../inventory/errors.ts'
import type { Clock } from '../../inventory/clock.ts'
import type { Gate } from '../exchange.ts'

/** The gate for deprecated operations: they are gone from the announced instant on. */
export function refuseAfterSunset(clock: Clock): Gate {
  return ({ findings: { route } }) => {
    const sunset = route?.operation?.deprecation?.sunset
    if (sunset === undefined || clock() < sunset.getTime()) return
    const day = sunset.toISOString().slice(0, 10)
    throw new PetStoreError('gone', `This operation was removed on ${day}: read one animal with GET /pets?id=ID.`)
  }
}
