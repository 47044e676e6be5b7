import type { Storage } from '../../inventory/storage.ts'
import { unavailable } from '../../inventory/errors.ts'
import { jsonReply } from '../replies/json.ts'
import type { Route } from '../exchange.ts'
import { openRoute } from '../route.ts'

const ok = jsonReply('{"status":"ok"}')

/** Health checks: is the process alive, and should it get requests? */
export function healthRoutes(storage: Pick<Storage, 'check'>, lifecycle: { readonly stage: string }): Route[] {
  return [
    openRoute('GET', '/livez', () => ok),

    openRoute('GET', '/readyz', async () => {
      const { stage } = lifecycle
      if (stage === 'starting') throw unavailable('The service is starting.')
      if (stage !== 'serving') throw unavailable('The service is stopping.')
      await storage.check().catch((error: Error) => {
        throw unavailable('The storage does not answer.', error)
      })
      return ok
    }),
  ]
}

/** Metrics for Prometheus. On the public port they require a key. */
export function metricsRoutes(metrics: (() => Promise<string>) | undefined): Route[] {
  if (metrics === undefined) return []
  const headers = { 'cache-control': 'no-store', 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }
  const handle = async () => ({ status: 200, headers, body: await metrics() })
  return [openRoute('GET', '/metrics', handle, { requiresKey: true })]
}
