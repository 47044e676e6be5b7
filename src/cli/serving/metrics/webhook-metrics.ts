import type { DispatcherStats } from '../../../webhooks/dispatcher.ts'
import { maxWebhooks, type Webhooks } from '../../../inventory/webhooks.ts'
import { withTimeout } from '../timeout.ts'
import { byLabel, gauge, type Metric } from './metric.ts'

/** What came of a try: 2xx, another status, or no response. */
export type TryResult = 'delivered' | 'refused' | 'unreachable'

export interface WebhookMetricsOptions {
  tries: ReadonlyMap<TryResult, number>
  /** Webhooks that the service has disabled, by reason. */
  disabled: ReadonlyMap<string, number>
  /** Undefined in an instance that does not deliver. */
  stats: DispatcherStats | undefined
  webhooks: Webhooks
}

export async function webhookMetrics({ tries, disabled, stats, webhooks }: WebhookMetricsOptions): Promise<Metric[]> {
  const states = await withTimeout(webhooksByState(webhooks)).catch(() => undefined)
  return [
    byLabel('counter', 'petstore_webhook_tries_total', 'Tries to deliver an event to a webhook.', 'result', tries),
    byLabel(
      'counter',
      'petstore_webhooks_disabled_total',
      'Webhooks that the service disabled: three days of failures, or 410.',
      'reason',
      disabled,
    ),
    ...(states === undefined ? [] : [byLabel('gauge', 'petstore_webhooks', 'Webhooks, by state.', 'state', states)]),
    ...gauge(
      'petstore_webhooks_failing',
      'Enabled webhooks whose next event has failed at least once; 0 in an instance that does not deliver.',
      stats?.failing ?? 0,
    ),
    ...gauge(
      'petstore_webhook_oldest_undelivered_seconds',
      'Age of the oldest event that an enabled webhook has not got; 0 in an instance that does not deliver.',
      Math.round((stats?.oldestUndeliveredMs ?? 0) / 1_000),
      'max',
    ),
  ]
}

async function webhooksByState({ list }: Webhooks): Promise<[string, number][]> {
  const { items } = await list(maxWebhooks, 0n)
  const enabled = items.filter((webhook) => webhook.enabled).length
  return [
    ['enabled', enabled],
    ['disabled', items.length - enabled],
  ]
}
