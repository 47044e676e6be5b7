import type { Route } from '../exchange.ts'
import { openRoute } from '../route.ts'

/** Metrics for Prometheus. On the public port they require a key. */
export function metricsRoutes(metrics: (() => Promise<string>) | undefined): Route[] {
  if (metrics === undefined) return []
  const headers = { 'cache-control': 'no-store', 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }
  const handle = async () => ({ status: 200, headers, body: await metrics() })
  return [openRoute('GET', '/metrics', handle, { requiresKey: true })]
}
