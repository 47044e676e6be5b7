import { encodePosition } from '../../../contract/position.ts'
import { reasonOf } from '../../../http/replies/errors.ts'
import type { NewDeliveryTry, Stall } from '../../../inventory/deliveries.ts'
import { PetStoreError } from '../../../inventory/errors.ts'
import { type Endpoint, maxWebhooks } from '../../../inventory/webhooks.ts'
import type { DeliveryObserver } from '../../../webhooks/delivering.ts'
import { isDelivered } from '../../../webhooks/send-result.ts'
import type { Log } from './log.ts'

/** How often the same outage is logged. */
const outageIntervalMs = 60_000
/** How often it is logged that a webhook fails: one that fails and succeeds by turns shall not fill the log. */
const webhookIntervalMs = 10 * 60_000

export interface DeliveryLog extends Pick<DeliveryObserver, 'disabled' | 'failed'> {
  tried(attempt: NewDeliveryTry, endpoint: Pick<Endpoint, 'id' | 'url'>): void
}

/** Logs deliveries, and once when they begin to stand still and when they go on. */
export interface FullDeliveryLog extends DeliveryLog {
  stalled(stall: Stall | undefined): void
}

interface Logged {
  isFailing: boolean
  quietUntil: number
}

/** Logs deliveries: that a webhook begins to fail, that it works again, and that it was disabled. */
export function deliveryLog(log: Pick<Log, 'info' | 'warn' | 'error'>, now = () => performance.now()): FullDeliveryLog {
  const logged = new Map<bigint, Logged>()
  let quietUntil = 0
  let stalledFor: Stall['reason'] | undefined

  return {
    tried(attempt, endpoint) {
      const entry = logged.get(endpoint.id)
      // The last failure disables the webhook, which has a line of its own.
      const isTriedAgain = attempt.nextAttemptAt !== undefined
      if (isDelivered(attempt)) {
        // Without an entry, the failures before this try were in an earlier process.
        if (entry === undefined ? attempt.attempt === 1 : !entry.isFailing) return
        if (entry !== undefined) entry.isFailing = false
        log.info(nameOf(endpoint), 'deliveries to a webhook succeed again')
      } else if (isTriedAgain && (entry === undefined || (!entry.isFailing && now() >= entry.quietUntil))) {
        logged.set(endpoint.id, { isFailing: true, quietUntil: now() + webhookIntervalMs })
        // Removed webhooks leave entries.
        for (const id of logged.keys()) if (logged.size > maxWebhooks) logged.delete(id)
        const { status, error } = attempt
        const { eventId: id, lineage } = attempt
        const event = id === undefined ? {} : { eventId: encodePosition({ id, lineage }) }
        log.warn({ ...nameOf(endpoint), ...event, status, error }, 'a delivery to a webhook failed and is tried again')
      }
    },
    disabled(endpoint, reason) {
      logged.delete(endpoint.id)
      log.warn({ ...nameOf(endpoint), reason }, 'a webhook was disabled')
    },
    stalled(stall) {
      if (stall?.reason === stalledFor) return
      stalledFor = stall?.reason
      if (stall === undefined) log.info({}, 'deliveries to webhooks go on')
      else {
        const since = new Date(stall.since).toISOString()
        log.error({ since, reason: stall.reason }, 'deliveries to webhooks stand still')
      }
    },
    failed(error) {
      // It is tried again each second.
      if (now() < quietUntil) return
      quietUntil = now() + outageIntervalMs
      if (!(error instanceof PetStoreError) || error.code !== 'unavailable') log.error({ error }, 'deliveries failed')
      else log.warn({ reason: reasonOf(error) }, 'deliveries are put off')
    },
  }
}

/** A path or a query may have a secret of the receiver. */
function nameOf({ id, url }: Pick<Endpoint, 'id' | 'url'>): { webhookId: string; origin: string } {
  return { webhookId: String(id), origin: new URL(url).origin }
}
