import cluster from 'node:cluster'
import { renewBundle } from '../../http/pages/console-bundle.ts'
import type { Certificate } from '../../http/server/certificate.ts'
import { newApiKey } from '../../inventory/key-secret.ts'
import type { Keys } from '../../inventory/keys.ts'
import { type OpenStorage, openStorage } from '../../storage/open.ts'
import { followDatabaseUrl, readDatabaseUrl, withoutPassword } from '../../storage/shared/url.ts'
import { type Config, readConfig } from '../shared/config.ts'
import { readEnvironment } from '../shared/environment.ts'
import { unknownSettings } from '../shared/unknown-settings.ts'
import { version } from '../shared/version.ts'
import { refuseUnusableBackupFolder, startBackups } from './backups/start.ts'
import { addDemoAnimals } from './demo.ts'
import { watchStall } from './deliveries/stall-watch.ts'
import { healthLog, watchUnreadableRows } from './log/database-log.ts'
import { watchThreads } from './log/thread-log.ts'
import { backupMetrics } from './metrics/backup-metrics.ts'
import type { Metrics } from './metrics/collector.ts'
import { readWorkers, startProcesses } from './processes/processes.ts'
import type { ProcessesOptions } from './processes/process-options.ts'
import { certificateMetrics, readCertificate } from './read-certificate.ts'
import { signInLink } from './sign-in-link.ts'
import { type Running, stopGracefully } from './stop.ts'
import { welcome } from './welcome.ts'

export interface ServeOptions {
  demo?: boolean
  workers: string
}

/** Runs the service until a stop signal. */
export async function serve({ demo = false, workers }: ServeOptions): Promise<void> {
  const environment = readEnvironment()
  const config = readConfig(environment)
  if (cluster.isWorker) return (await import('./processes/worker-process.ts')).runWorker(config, environment)

  for (const sentence of unknownSettings(environment)) process.stderr.write(`petstore: ${sentence}\n`)
  const count = readWorkers(workers, config)
  refuseUnusableBackupFolder(config)
  const certificate = readCertificate(config)

  const databaseUrl = followDatabaseUrl(config.databaseUrl)
  const { storage, metrics } = await openStorageWithMetrics(config, databaseUrl)
  const started = start({ config, databaseUrl, environment, count, demo, certificate, storage, metrics })
  stopGracefully({ config, environment, storage, started })
  await started
  // The console can wait for the API: to look at its sources takes a tenth of a start.
  const notice = await renewBundle()
  if (notice !== undefined) process.stderr.write(`petstore: ${notice.sentence}\n`)
}

interface StartOptions extends Omit<ProcessesOptions, 'redeemCode' | 'stallWatch'> {
  count: number
  demo: boolean
}

/** Starts everything that uses the storage, and prints the welcome. */
async function start({ count, demo, ...options }: StartOptions): Promise<Running> {
  const { config, databaseUrl, storage, metrics } = options
  const { redeem: redeemCode, issueLink } = signInLink()
  let { certificate } = options
  const stallWatch = watchStall(storage.deliveries)
  const processes = await startProcesses(count, { ...options, redeemCode, stallWatch })
  const edge = {
    ...processes,
    async useCertificate(renewed: Certificate) {
      await processes.useCertificate(renewed)
      certificate = renewed
    },
  }
  metrics.watch(async () => certificateMetrics(certificate))
  const metricsServer = await serveMetricsAlone(config, edge.metricsText)
  const backups = await startBackups(config, databaseUrl)
  metrics.watch(async () => backupMetrics(backups))

  // After listening: a key created before a port conflict would never be shown.
  const firstKey = await issueFirstKey(storage.keys, config)
  const demoAnimals = demo ? await addDemoAnimals(storage) : undefined
  process.stdout.write(
    welcome({
      version,
      environment: config.environment,
      database: withoutPassword(config.databaseUrl),
      address: edge.address,
      workers: count,
      firstKey,
      signInCode: firstKey === undefined ? undefined : () => issueLink(firstKey),
      metricsUrl: metricsServer?.url,
      demoAnimals,
    }),
  )
  // After the welcome: whoever waits for a ready service finds the first key.
  await edge.serve()
  const { startDeliveries } = await import('./deliveries/deliveries.ts')
  const deliveries = await startDeliveries({ config, databaseUrl, storage, metrics, stallWatch })
  return { edge, metricsServer, backups, deliveries }
}

/** A new shop gets one key, which may do everything, unless the operator configured one. */
async function issueFirstKey(keys: Keys, { apiKey, environment }: Config): Promise<string | undefined> {
  if (apiKey !== undefined || (await keys.list()).length > 0) return undefined
  const { secret, key } = newApiKey(environment, { name: 'first key', permission: 'admin', createdAt: Date.now() })
  await keys.create(key)
  return secret
}

/** Opens the storage of the settings, and metrics that watch it. */
async function openStorageWithMetrics(
  config: Config,
  databaseUrl: string,
): Promise<{ storage: OpenStorage; metrics: Metrics }> {
  const opening = openStorage(databaseUrl, {
    readUrl: config.readDatabaseUrl,
    environment: config.environment,
    report: healthLog(config.logLevel),
  })
  // Loads the rest of the program while the writer thread starts.
  const [storage, { openMetrics }, { shopMetrics }, { storageMetrics }] = await Promise.all([
    opening,
    import('./metrics/collector.ts'),
    import('./metrics/shop-metrics.ts'),
    import('./metrics/process-metrics.ts'),
    import('./edge.ts'),
  ])
  const metrics = openMetrics()
  const { engine } = readDatabaseUrl(databaseUrl)
  metrics.watch(() => storageMetrics(storage.stats()))
  metrics.watch(watchUnreadableRows(config.logLevel))
  metrics.watch(watchThreads(config.logLevel))
  metrics.watch(() => shopMetrics({ storage, clock: Date.now, engine }))
  return { storage, metrics }
}

async function serveMetricsAlone({ metricsAddress }: Config, text: () => Promise<string>) {
  if (metricsAddress === undefined) return undefined
  const { serveMetrics } = await import('./metrics/server.ts')
  return serveMetrics(text, metricsAddress)
}
