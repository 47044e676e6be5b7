import type { NewDeliveryTry } from '../inventory/deliveries.ts'
import type { Endpoint } from '../inventory/webhooks.ts'

/** Hears what happens to deliveries, for the log and the metrics. */
export interface DeliveryObserver {
  /** A try has ended. `body` is what was sent. */
  tried(attempt: NewDeliveryTry, endpoint: Pick<Endpoint, 'id' | 'url'>, body: string): void
  disabled(endpoint: Endpoint, reason: 'gone' | 'failed'): void
  /** Something failed that will be tried again. */
  failed(error: Error): void
}
