import type { Clock } from '../inventory/clock.ts'
import type { DeliveryLease, NewDeliveryTry } from '../inventory/deliveries.ts'
import type { Endpoint } from '../inventory/webhooks.ts'
import type { DeliveryLimits } from './delivery-slots.ts'
import type { DispatcherStorage } from './dispatcher-storage.ts'
import type { EndpointState } from './endpoint-state.ts'
import type { EventReader } from './event-reader.ts'
import type { SendOptions } from './send.ts'
import type { SendResult } from './send-result.ts'
import type { Message } from './sign.ts'

export interface DeliverOptions {
  deliveries: DispatcherStorage['deliveries']
  webhooks: DispatcherStorage['webhooks']
  reader: EventReader
  send: (message: Message, endpoint: Endpoint, options: Pick<SendOptions, 'signal' | 'mayWrite'>) => Promise<SendResult>
  clock: Clock
  /** The time of the shop. */
  shopClock: Clock
  observer: DeliveryObserver
  lease: DeliveryLease
  leaseMs: number
  limits?: DeliveryLimits | undefined
  /** Whether this thread serves nobody else. */
  hasOwnThread: boolean
  /** Called if this process must begin anew: another one has the lease, or the database has another history. */
  lost: () => void
}

/** The deliveries of the process that has the lease. */
export interface Delivering {
  /** The endpoints as they are now. */
  use(endpoints: readonly Endpoint[]): Promise<void>
  /** Reads new events. */
  poll(): Promise<void>
  /** Tries again what is due. For tests that move the clock. */
  retryDue(): void
  /** Stores how far all endpoints are, also those that were sent nothing. */
  noteAll(): void
  states(): Iterable<EndpointState>
  /** Since when positions and tries could not be stored; real time. */
  unstoredSince(): number | undefined
  /** Lets tries end for a moment, cuts the others, and stores everything. */
  stop(graceMs: number): Promise<void>
}

/** Hears what happens to deliveries, for the log and the metrics. */
export interface DeliveryObserver {
  /** A try has ended. */
  tried(attempt: NewDeliveryTry, endpoint: Pick<Endpoint, 'id' | 'url' | 'format'>, message: Message): void
  disabled(endpoint: Endpoint, reason: 'gone' | 'failed'): void
  /** Something failed that will be tried again. */
  failed(error: Error): void
}
