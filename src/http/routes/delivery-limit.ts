import { PetStoreError } from '../../inventory/errors.ts'
import { openPlaces } from '../../inventory/places.ts'

/** Counts a delivery that begins for the owner, a key or a shop, and returns what ends it. Throws if too many run. */
export type BeginDelivery = (owner: string) => () => void

const busySeconds = 10

/** At most `max` of the deliveries that somebody asked for run at once. Owners share them. */
export function deliveryLimit(max: number, ofWhom = ''): BeginDelivery {
  const places = openPlaces(max)
  return (owner) => {
    const end = places.take(owner)
    if (end !== undefined) return end
    const text = `Too many tests or repetitions of webhooks${ofWhom} are running; try again in ${busySeconds} s.`
    throw new PetStoreError('rate_limited', text, { retryAfterSeconds: busySeconds })
  }
}
