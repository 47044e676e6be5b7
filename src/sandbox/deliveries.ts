import type { Clock } from '../inventory/clock.ts'
import type { Storage } from '../inventory/storage.ts'
import type { DeliveryObserver } from '../webhooks/delivering.ts'
import { type Dispatcher, startDispatcher } from '../webhooks/dispatcher.ts'
import { shopDeliveryLimits } from './limits.ts'
import type { Journal } from './journal.ts'

/** Nobody else delivers for a shop in memory. */
const leaseMs = 60_000

/**
 * Delivers the events of a shop, also to this machine, where the program under test is. It looks when a request has
 * ended, so a shop without webhooks costs nothing. The clock of the shop ends replaced secrets; retries and signatures
 * have real time.
 */
export function deliverFrom(storage: Storage, tried: DeliveryObserver['tried'], shopClock: Clock): Dispatcher {
  return startDispatcher({
    storage,
    source: '/v1',
    addresses: { allowPrivate: true },
    shopClock,
    leaseMs,
    limits: shopDeliveryLimits,
    refreshMs: 0,
    observer: {
      tried,
      disabled: () => undefined,
      // A shop that is full, or gone.
      failed: () => undefined,
    },
  })
}

/** Notes every try in the journal of the shop, also a test or a repetition. */
export function notesTries(journal: Pick<Journal, 'delivered'>): DeliveryObserver['tried'] {
  return ({ at, status, durationMs: milliseconds }, { url, format }, message) =>
    journal.delivered({ url, format, ...message, at, status, milliseconds })
}
