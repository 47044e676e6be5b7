import type { NewDeliveryTry } from '../inventory/deliveries.ts'
import type { Endpoint } from '../inventory/webhooks.ts'
import type { QueuedEvent } from './event-reader.ts'
import { isHopeless, nextAttemptAt } from './schedule.ts'
import { isDelivered, isGone, type SendResult } from './send-result.ts'
import type { Message } from './sign.ts'

/** A try that has ended. */
export interface EndedTry {
  endpoint: Endpoint
  event: QueuedEvent
  message: Message
  /** When it began, in real time and in that of the shop. */
  at: number
  shopAt: number
  result: SendResult
}

/** What follows from a try. */
export interface Outcome {
  entry: NewDeliveryTry
  /** If it failed: since when the event fails, when it is tried again, and why the endpoint is disabled instead. */
  failure?: { since: number; retryAt: number; reason: 'gone' | 'failed' | undefined }
}

/** `before` are the failures of the same event before this try. */
export function outcomeOf(
  { endpoint, event, at, result }: Omit<EndedTry, 'message' | 'shopAt'>,
  before: { attempts: number; failingSince?: number | undefined },
  now: number,
): Outcome {
  const attempt = before.attempts + 1
  const { id: eventId, lineage } = event
  const ids = { webhookId: endpoint.id, eventId, ...(lineage !== undefined && { lineage }) }
  const entry: NewDeliveryTry = { ...ids, type: event.type, at, attempt, ...result }
  if (isDelivered(result)) return { entry }
  // Not the later one: somebody may have set the clock back.
  const since = Math.min(before.failingSince ?? at, at)
  const reason = isGone(result) ? 'gone' : isHopeless(since, now) ? 'failed' : undefined
  const retryAt = nextAttemptAt(attempt, now)
  return {
    entry: reason === undefined ? { ...entry, nextAttemptAt: retryAt } : entry,
    failure: { since, retryAt, reason },
  }
}
