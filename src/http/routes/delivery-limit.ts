import { PetStoreError } from '../../inventory/errors.ts'

/** Counts a delivery that begins, and returns what ends it. Throws if too many run. */
export type BeginDelivery = () => () => void

const busySeconds = 10

/** At most `max` of the deliveries that somebody asked for run at once, also of those that count for `outer`. */
export function deliveryLimit(max: number, owner = '', outer?: BeginDelivery): BeginDelivery {
  let running = 0
  return () => {
    if (running >= max) {
      const text = `${max} tests or repetitions of webhooks${owner} are running, the maximum; try again in ${busySeconds} s.`
      throw new PetStoreError('rate_limited', text, { retryAfterSeconds: busySeconds })
    }
    const endOuter = outer?.()
    running++
    return () => {
      running--
      endOuter?.()
    }
  }
}
