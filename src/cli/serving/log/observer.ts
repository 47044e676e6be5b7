import type { Observer } from '../../../http/replies/observe.ts'
import { PetStoreError } from '../../../inventory/errors.ts'
import { reasonOf } from '../../../http/replies/errors.ts'
import type { Log } from './log.ts'
import type { Metrics } from '../metrics/collector.ts'

/** One log line and one metric per request, the reason of every 503, and the cause of every unexpected error. */
export function observer(log: Log, metrics: Metrics): Observer & { maintenanceFailed(error: Error): void } {
  return {
    answered(answer) {
      metrics.answered(answer)
      log.request(answer)
    },
    refused(refusal) {
      metrics.refused(refusal)
      log.info(refusal, 'request refused')
    },
    streamOpened: metrics.streamOpened,
    streamEnded: metrics.streamEnded,
    unavailable: (reason, requestId) => log.warn({ requestId, reason }, 'unavailable'),
    failed(error, requestId) {
      log.error({ error, requestId }, 'failed')
    },
    /** It runs again later. In an outage the reason is enough: the stack of an expected error helps nobody. */
    maintenanceFailed(error) {
      if (!(error instanceof PetStoreError) || error.code !== 'unavailable') log.error({ error }, 'failed')
      else log.warn({ reason: reasonOf(error) }, 'maintenance is put off')
    },
  }
}
