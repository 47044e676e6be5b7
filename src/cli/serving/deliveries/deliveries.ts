import type { OpenStorage } from '../../../storage/open.ts'
import { openFiles } from '../../../storage/shared/open-files.ts'
import { readDatabaseUrl } from '../../../storage/shared/url.ts'
import { baseUrls, type Config } from '../../shared/config.ts'
import { deliveriesFor } from '../file-limit.ts'
import { deliveryLog } from '../log/delivery-log.ts'
import { openLog } from '../log/log.ts'
import type { Metrics } from '../metrics/collector.ts'
import { sessionMetrics } from '../metrics/process-metrics.ts'
import { webhookMetrics } from '../metrics/webhook-metrics.ts'
import { withTimeout } from '../timeout.ts'
import { newDeliveryThreads, startDeliveryThread } from './delivery-thread.ts'
import type { StallWatch } from './stall-watch.ts'

export interface DeliveriesOptions {
  config: Config
  databaseUrl: string
  storage: OpenStorage
  metrics: Metrics
  stallWatch: StallWatch
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

/** How often to look whether deliveries stand still, for the log. */
const stallIntervalMs = 10_000

export async function startDeliveries(options: DeliveriesOptions): Promise<RunningDeliveries> {
  const { config, databaseUrl, storage, metrics, stallWatch } = options
  const logging = deliveryLog(await openLog(config.logLevel))
  const { engine } = readDatabaseUrl(databaseUrl)
  const disabled = new Map<string, number>([
    ['gone', 0],
    ['failed', 0],
  ])
  const { inlineThread } = databaseUrl === 'sqlite::memory:' ? await import('./inline-thread.ts') : {}
  const files = openFiles()
  const thread = startDeliveryThread({
    storage,
    limits: files && deliveriesFor(files),
    newThread: inlineThread?.bind(undefined, storage) ?? newDeliveryThreads(databaseUrl, storage.relay),
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
  stallWatch.ask(thread.stall)
  metrics.watch(async () => {
    const stats = await thread.stats().catch(() => undefined)
    // A stall that cannot be asked for is not known.
    const stall = await withTimeout(stallWatch.find()).catch(() => 'unknown' as const)
    const ofWebhooks = webhookMetrics({ disabled, stats: stats?.dispatcher, stall, webhooks: storage.webhooks })
    return [...sessionMetrics(stats?.sessions ?? []), ...(await ofWebhooks)]
  })
  // While the storage fails, nothing is known, and its own line is in the log.
  const logStall = () => void stallWatch.find().then(logging.stalled, () => undefined)
  const timer = setInterval(logStall, stallIntervalMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await thread.stop()
    },
  }
}
