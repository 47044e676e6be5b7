import type { Stall } from '../../../inventory/deliveries.ts'
import type { DispatcherStats } from '../../../webhooks/dispatcher.ts'
import { isDelivered, type SendResult } from '../../../webhooks/send-result.ts'
import { maxWebhooks, type Webhooks } from '../../../inventory/webhooks.ts'
import { withTimeout } from '../timeout.ts'
import { byLabel, gauge, type Metric } from './metric.ts'

/** Counts tries by what came of them: 2xx, another status, or no response. Every process sends tests and repetitions. */
export function tryCounts() {
  // From 0 on, so that the first failure is seen as an increase.
  const counts = { delivered: 0, refused: 0, unreachable: 0 }
  return {
    add(result: Pick<SendResult, 'status' | 'durationMs'>): void {
      counts[isDelivered(result) ? 'delivered' : result.status === undefined ? 'unreachable' : 'refused']++
    },
    addDelivered(count: number): void {
      counts.delivered += count
    },
    metric: () =>
      byLabel(
        'counter',
        'petstore_webhook_tries_total',
        'Tries to send an event, or a test, to a webhook.',
        'result',
        Object.entries(counts),
      ),
  }
}

export interface WebhookMetricsOptions {
  /** Webhooks that the service has disabled, by reason. */
  disabled: ReadonlyMap<string, number>
  /** Undefined if they are not known: another instance delivers, or the thread that delivers does not respond. */
  stats: DispatcherStats | undefined
  /** Whether deliveries stand still for a reason of ours. */
  stall: Stall | undefined | 'unknown'
  webhooks: Webhooks
}

export async function webhookMetrics({ disabled, stats, stall, webhooks }: WebhookMetricsOptions): Promise<Metric[]> {
  const states = await withTimeout(webhooksByState(webhooks)).catch(() => undefined)
  return [
    byLabel(
      'counter',
      'petstore_webhooks_disabled_total',
      'Webhooks that the service disabled: three days of failures, or 410.',
      'reason',
      disabled,
    ),
    ...(states === undefined ? [] : [byLabel('gauge', 'petstore_webhooks', 'Webhooks, by state.', 'state', states)]),
    ...(stats === undefined ? [] : deliveryGauges(stats)),
    ...(stall === 'unknown' ? [] : stallGauge(stall)),
  ]
}

function deliveryGauges({ failing, oldestUndeliveredMs }: DispatcherStats): Metric[] {
  return [
    ...gauge(
      'petstore_webhooks_failing',
      'Enabled webhooks whose next event has failed at least once; only in the instance that delivers.',
      failing,
    ),
    ...gauge(
      'petstore_webhook_oldest_undelivered_seconds',
      'Age of the oldest event that an enabled webhook has not got; only in the instance that delivers.',
      Math.round(oldestUndeliveredMs / 1_000),
      'max',
    ),
  ]
}

function stallGauge(stall: Stall | undefined): Metric[] {
  return gauge(
    'petstore_webhook_deliveries_stalled_seconds',
    'How long no event is sent to any webhook for a reason of the service; 0 while events are sent.',
    stall === undefined ? 0 : Math.round((Date.now() - stall.since) / 1_000),
    'max',
  )
}

async function webhooksByState({ list }: Webhooks): Promise<[string, number][]> {
  const { items } = await list(maxWebhooks, 0n)
  const enabled = items.filter((webhook) => webhook.enabled).length
  return [
    ['enabled', enabled],
    ['disabled', items.length - enabled],
  ]
}
