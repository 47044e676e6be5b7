import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from '../../http/app.ts'
import { type Certificate, replaceCertificate } from '../../http/server/certificate.ts'
import { lifecycle } from '../../http/server/lifecycle.ts'
import type { RedeemCode } from '../../http/pages/console.ts'
import { keyHash } from '../../inventory/key-secret.ts'
import type { ApiKey } from '../../inventory/keys.ts'
import type { Storage } from '../../inventory/storage.ts'
import { baseUrls, type Config } from '../shared/config.ts'
import { howToRaise, openFiles } from '../../storage/shared/open-files.ts'
import { connectionsFor } from './file-limit.ts'
import type { StallWatch } from './deliveries/stall-watch.ts'
import { addressOf, explainListening } from './listening.ts'
import { openLog } from './log/log.ts'
import { startMaintenance } from './maintenance.ts'
import type { Metrics } from './metrics/collector.ts'
import { observer } from './log/observer.ts'
import { edgeMetrics } from './metrics/process-metrics.ts'
import { openTracing } from './log/tracing.ts'
import { onlyOnce } from './signals.ts'

export interface Edge {
  /** The address, such as http://127.0.0.1:8080. */
  address: string
  /** Until this is called, /readyz is 503. */
  serve(): Promise<void>
  /**
   * Becomes not ready and keeps serving for the configured drain time; then closes the port, serves requests that still
   * arrive on open connections, and closes each. After an error there is no drain time. The storage stays open.
   */
  stop(reason?: Error): Promise<void>
  /** For new connections. Only if the edge was started with a certificate. */
  useCertificate(certificate: Certificate): Promise<void>
}

export interface EdgeParts {
  config: Config
  environment: NodeJS.ProcessEnv
  storage: Storage
  metrics: Metrics
  redeemCode: RedeemCode
  stallWatch: StallWatch
  /** For HTTPS. */
  certificate?: Certificate | undefined
  /** Resolves when no process listens on the port. */
  released?: (() => Promise<void>) | undefined
  /** Returns the text of /metrics, if it is served on the main port. */
  metricsText?: (() => Promise<string>) | undefined
}

/** The part of every process of the service: the HTTP edge on the port, with an open storage. */
export async function startEdge(parts: EdgeParts): Promise<Edge> {
  const { config, environment, storage, metrics, redeemCode, certificate, metricsText, released } = parts
  const log = await openLog(config.logLevel)
  const tracing = await openTracing(environment, (reason) => {
    if (reason === undefined) log.info('the collector of traces takes spans again')
    else log.warn({ reason }, 'the collector of traces does not take spans: they are lost')
  })
  const state = lifecycle('starting')
  const observing = observer(log, metrics)
  const files = openFiles()
  const connectionLimits = files && connectionsFor(files)
  const maintenance = startMaintenance({
    storage,
    clock: Date.now,
    eventRetentionMs: config.eventRetentionMs,
    report: observing.maintenanceFailed,
  })
  const app = buildApp({
    storage,
    clock: Date.now,
    observer: observing,
    lifecycle: state,
    environment: config.environment,
    baseUrls: baseUrls(config),
    minStability: config.stability,
    keyUsed: maintenance.keyUsed,
    redeemCode,
    ownKey: ownKey(config.apiKey),
    corsOrigins: config.corsOrigins ?? [],
    rateLimit: config.rateLimit,
    trustProxy: config.trustProxy,
    certificate,
    connectionLimits,
    connectionLimitReached: onlyOnce(() => {
      const facts = { connections: connectionLimits?.maxConnections, openFiles: files?.limit }
      log.error(facts, `no more connections fit: idle ones are closed for new ones; ${howToRaise}`)
    }),
    webhookAddresses: { allowPrivate: config.webhooksAllowPrivate === 'true' },
    deliveryTried: metrics.deliveryTried,
    deliveryStall: parts.stallWatch.find,
    hasMcp: config.mcp === 'on',
    metrics: metricsText,
    tracing: tracing?.trace,
  })
  metrics.watch(() => edgeMetrics(app.stats()))
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    const { host, port } = config
    throw explainListening(error as NodeJS.ErrnoException, { host, port, settings: 'PETSTORE' })
  }
  return {
    address: addressOf(app.server, config.host),
    async serve() {
      state.serve()
    },
    async useCertificate(renewed) {
      replaceCertificate(app.server, renewed)
    },
    async stop(reason) {
      if (reason !== undefined) log.fatal({ error: reason }, 'stopping after an uncaught error')
      if (reason === undefined && config.drainSeconds > 0) {
        state.leave()
        await sleep(config.drainSeconds * 1_000)
      }
      const cut = await app.drain(released)
      if (cut > 0) log.info({ connections: cut }, 'closed connections whose requests did not end in time')
      await app.close()
      await maintenance.stop()
      await tracing?.close()
      await log.flush()
    },
  }
}

// Its id is made from its hash, so it is the same after a restart and in every process.
function ownKey(secret: string | undefined): { hash: string; key: ApiKey } | undefined {
  if (secret === undefined) return undefined
  const hash = keyHash(secret)
  return { hash, key: { id: `own_${hash.slice(0, 12)}`, name: 'PETSTORE_API_KEY', permission: 'admin', createdAt: 0 } }
}
