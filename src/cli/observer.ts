import type { Logger } from 'pino'
import type { Observer } from '../http/observe.ts'
import type { Metrics } from './metrics.ts'

/** One log line and one metric per request, and the cause of every failure of ours. */
export function observer(log: Logger, metrics: Metrics): Observer {
  return {
    answered(answer) {
      metrics.answered(answer)
      const { requestId, keyId, method, path, status, milliseconds } = answer
      log.info({ requestId, keyId, method, path, status, ms: Math.round(milliseconds * 1000) / 1000 }, 'request')
    },
    refused(refusal) {
      metrics.refused(refusal)
      log.info(refusal, 'request refused')
    },
    failed(error, requestId) {
      log.error({ error, requestId }, 'failed')
    },
  }
}
