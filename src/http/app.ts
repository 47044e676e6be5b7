import type { Environment } from '../contract/environment.ts'
import { type ByteBudget, openByteBudget } from '../inventory/byte-budget.ts'
import { isServed, type StabilityLevel } from '../contract/operations/operations.ts'
import { versionedCache } from './cache/versioned-cache.ts'
import type { Route } from './exchange.ts'
import { consoleRoutes, type RedeemCode } from './pages/console.ts'
import { guideRoutes } from './pages/guides.ts'
import { referenceRoutes } from './pages/reference.ts'
import { mcpRoutes } from './mcp.ts'
import { siteOf } from './replies/base-address.ts'
import { requestPath } from './request-path.ts'
import type { TrustProxy } from './request/proxies.ts'
import { documentRoutes } from './routes/documents.ts'
import { healthRoutes, metricsRoutes } from './routes/health.ts'
import { type App, createApp } from './server/app-server.ts'
import type { Certificate } from './server/certificate.ts'
import { type Lifecycle, lifecycle } from './server/lifecycle.ts'
import type { ConnectionLimits } from './server/limits.ts'
import { shopEdge, type ShopEdgeOptions } from './shop-edge.ts'

export interface AppOptions extends Omit<ShopEdgeOptions, 'cache' | 'source'> {
  /** For callers that stop the service before they close it. */
  lifecycle?: Lifecycle | undefined
  baseUrls: Partial<Record<Environment, string>>
  /** The least stable operations that are served. */
  minStability: StabilityLevel
  /** Exchanges the code of a sign-in link for a key. */
  redeemCode?: RedeemCode | undefined
  trustProxy: TrustProxy
  connectionLimits?: Partial<ConnectionLimits> | undefined
  /** Called when a new connection finds as many open as there may be. */
  connectionLimitReached?: (() => void) | undefined
  /** For everything that is made for clients. */
  budget?: ByteBudget | undefined
  /** For HTTPS. */
  certificate?: Certificate | undefined
  /** Serves /mcp, for agents. */
  hasMcp?: boolean | undefined
  /** Returns the text of /metrics, if it is served on this port. */
  metrics?: (() => Promise<string>) | undefined
}

/** Builds the HTTP edge of the service: one shop, its pages and documents, the server. Does not listen yet. */
export function buildApp(options: AppOptions): App {
  const { storage, observer, minStability } = options
  const state = options.lifecycle ?? lifecycle()
  const configuredBase = options.baseUrls[options.environment]
  const cache = versionedCache(() => storage.version())
  const shop = shopEdge({ ...options, cache, source: configuredBase ?? '/v1' })

  const routes: Route[] = [
    ...shop.routes,
    ...healthRoutes(storage, state),
    ...documentRoutes(options),
    ...referenceRoutes(Object.values(options.baseUrls), configuredBase),
    ...consoleRoutes(options),
    ...guideRoutes(),
    ...metricsRoutes(options.metrics),
  ]
  const served = routes.filter(({ operation }) => operation === undefined || isServed(operation, minStability))
  // It is experimental itself, and offers no operation that is not served.
  if (options.hasMcp === true && minStability === 'experimental')
    served.push(...mcpRoutes({ ...options, routes: served }))

  return createApp({
    answer: requestPath(Object.values(shop.gates(served)), observer),
    site: siteOf(configuredBase, options.trustProxy, options.budget ?? openByteBudget()),
    cache,
    observer,
    state,
    connectionLimits: options.connectionLimits,
    connectionLimitReached: options.connectionLimitReached,
    certificate: options.certificate,
    streamLagEvents: () => shop.lag(),
    endLongRequests: () => shop.endLongRequests(),
  })
}
