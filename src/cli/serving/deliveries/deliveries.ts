import type { Storage } from '../../../inventory/storage.ts'
import { readDatabaseUrl } from '../../../storage/shared/url.ts'
import { baseUrls, type Config } from '../../shared/config.ts'
import { deliveryLog } from '../log/delivery-log.ts'
import { openLog } from '../log/log.ts'
import type { Metrics } from '../metrics/collector.ts'
import { webhookMetrics } from '../metrics/webhook-metrics.ts'
import { startDeliveryThread } from './delivery-thread.ts'

export interface DeliveriesOptions {
  config: Config
  storage: Storage
  metrics: Metrics
}

/** The first process delivers for all others of an instance. */
export interface RunningDeliveries {
  stop(): Promise<void>
}

/**
 * On a server other instances wait for the end of a lease, so it is short. A process that starts on a file takes the
 * lease at once: there a long one costs fewer writes.
 */
const leaseMs = { postgres: 10_000, sqlite: 60_000 }
/** A look at a file costs almost nothing, one at a server a query. */
const pollMs = { postgres: 200, sqlite: 100 }

export async function startDeliveries({ config, storage, metrics }: DeliveriesOptions): Promise<RunningDeliveries> {
  const logging = deliveryLog(await openLog(config.logLevel))
  const { engine } = readDatabaseUrl(config.databaseUrl)
  const disabled = new Map<string, number>([
    ['gone', 0],
    ['failed', 0],
  ])
  const thread = startDeliveryThread({
    storage,
    source: baseUrls(config)[config.environment] ?? '/v1',
    allowPrivate: config.webhooksAllowPrivate === 'true',
    leaseMs: leaseMs[engine],
    pollMs: pollMs[engine],
    observer: {
      tried(attempt, endpoint) {
        metrics.deliveryTried(attempt)
        logging.tried(attempt, endpoint)
      },
      delivered: metrics.deliveriesSucceeded,
      disabled(endpoint, reason) {
        disabled.set(reason, (disabled.get(reason) ?? 0) + 1)
        logging.disabled(endpoint, reason)
      },
      failed: logging.failed,
    },
  })
  metrics.watch(async () => {
    const stats = await thread.stats().catch(() => undefined)
    return webhookMetrics({ disabled, stats, webhooks: storage.webhooks })
  })
  return { stop: thread.stop }
}
