import type { DeliveryTry } from '../contract/delivery.ts'
import type { Position } from '../contract/position.ts'
import type { Clock } from '../inventory/clock.ts'
import type { Deliveries } from '../inventory/deliveries.ts'
import { outcomeUnknown } from '../inventory/errors.ts'
import type { Endpoint } from '../inventory/webhooks.ts'
import type { AddressRules } from './addresses.ts'
import type { DeliveryObserver } from './delivering.ts'
import { secretsOf } from './sign.ts'
import { send } from './send.ts'

/** A message that somebody asked for: a test, or an event that is sent again. */
export interface RequestedMessage {
  /** `webhook-id`. */
  id: string
  body: string
  type: string
  /** Absent for a test. */
  event?: Position | undefined
}

export interface DeliverNowOptions {
  deliveries: Deliveries
  addresses: AddressRules
  /** Real time, for the signature. */
  clock?: Clock
  /** The time of the shop, for the end of a replaced secret. Default: real time. */
  shopClock?: Clock
  /** Ends the try. Nothing is logged then: the storage may be about to close. */
  signal?: AbortSignal
  tried?: DeliveryObserver['tried'] | undefined
}

/**
 * One try, at once and from this process. It is logged, moves no position and is not repeated. Rejects if the signal
 * has ended it.
 */
export async function deliverNow(
  { id, body, type, event }: RequestedMessage,
  endpoint: Pick<Endpoint, 'id' | 'url' | 'format' | 'secret' | 'previousSecret'>,
  { deliveries, addresses, clock = Date.now, shopClock = clock, signal, tried }: DeliverNowOptions,
): Promise<DeliveryTry> {
  // The process that prunes the log knows only its own tries.
  await deliveries.forget([endpoint.id])
  const at = clock()
  const target = { url: endpoint.url, format: endpoint.format, secrets: secretsOf(endpoint, shopClock()) }
  const result = await send({ id, body }, target, { addresses, clock, signal })
  if (signal?.aborted) throw outcomeUnknown('The service stopped before the receiver responded.')
  const about = event && { eventId: event.id, ...(event.lineage !== undefined && { lineage: event.lineage }) }
  const attempt = { webhookId: endpoint.id, ...about, type, at, attempt: 1, ...result }
  tried?.(attempt, endpoint, { id, body })
  return { id: await deliveries.addTry(attempt), ...attempt }
}
