import type { DeliveryPosition } from '../inventory/deliveries.ts'
import type { Endpoint } from '../inventory/webhooks.ts'
import type { QueuedEvent } from './event-reader.ts'
import type { Phase } from './phase.ts'

/** How far the deliveries to an endpoint are, in the process that delivers. */
export interface EndpointState {
  endpoint: Endpoint
  /** All events up to this one are delivered, or are not for this endpoint. */
  position: bigint
  /** The position that is stored, or will be soon. */
  notedPosition: bigint
  attempts: number
  failingSince?: number | undefined
  /** The same in the time of the shop, in which its webhooks have their times. */
  shopFailingSince?: number | undefined
  nextAttemptAt?: number | undefined
  /** Only `next` changes it. */
  phase: Phase
  /** When the first event that it has not got happened, if that is known. */
  behindSince?: number | undefined
}

/** A position after the `head` is of a history that was lost: it must not hold back the events of this one. */
export function newState(endpoint: Endpoint, stored: DeliveryPosition | undefined, head: bigint): EndpointState {
  const storedId = stored?.eventId ?? 0n
  const eventId = storedId < head ? storedId : head
  const state: EndpointState = {
    endpoint,
    position: eventId > endpoint.startsAfter ? eventId : endpoint.startsAfter,
    notedPosition: storedId,
    attempts: 0,
    phase: 'idle',
  }
  // It starts anew, or has another address: earlier failures do not count.
  const isFailing = eventId >= endpoint.startsAfter && (stored?.failingSince ?? 0) >= endpoint.activeSince
  if (stored === undefined || stored.attempts === 0 || !isFailing) return state
  const { attempts, failingSince, nextAttemptAt } = stored
  return { ...state, attempts, failingSince, shopFailingSince: failingSince, nextAttemptAt }
}

export function wants({ endpoint: { types } }: EndpointState): (event: QueuedEvent) => boolean {
  return ({ type }) => types === undefined || types.has(type)
}

/** Whether two states of an endpoint want events of the same types. */
export function wantsSame({ types: some }: Endpoint, { types: others }: Endpoint): boolean {
  if (some === undefined || others === undefined) return some === others
  return some.symmetricDifference(others).size === 0
}

export function toPosition(state: EndpointState): DeliveryPosition {
  const { endpoint, position, attempts, shopFailingSince, nextAttemptAt } = state
  return {
    webhookId: endpoint.id,
    eventId: position,
    attempts,
    ...(shopFailingSince !== undefined && { failingSince: shopFailingSince }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt }),
  }
}

/** `since`: when the first try of the event failed. `shopAt`: when this one began, in the time of the shop. */
export function addFailure(state: EndpointState, since: number, shopAt: number): void {
  state.attempts++
  state.failingSince = since
  state.shopFailingSince = Math.min(state.shopFailingSince ?? shopAt, shopAt)
}

export function forgetFailures(state: EndpointState): void {
  state.attempts = 0
  state.failingSince = undefined
  state.shopFailingSince = undefined
  state.nextAttemptAt = undefined
}
