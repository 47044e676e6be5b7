import cluster from 'node:cluster'
import closeWithGrace from 'close-with-grace'
import type { Certificate } from '../../http/server/certificate.ts'
import { openStorage } from '../../storage/open.ts'
import { readDatabaseUrl, withoutPassword } from '../../storage/shared/url.ts'
import { readConfig, readEnvironment } from '../shared/config.ts'
import { unknownSettings } from '../shared/unknown-settings.ts'
import type { Backups } from './backups/schedule.ts'
import { refuseUnusableBackupFolder, startBackups } from './backups/start.ts'
import { addDemoAnimals } from './demo.ts'
import type { Edge } from './edge.ts'
import { issueFirstKey } from './first-key.ts'
import { healthLog } from './health-log.ts'
import { backupMetrics } from './metrics/backup-metrics.ts'
import { readCertificate, reloadCertificate } from './read-certificate.ts'
import { signInLink } from './sign-in-link.ts'
import { onlyOnce, stopOnSignal, stopSignals, stopWithParent } from './signals.ts'
import { version } from '../shared/version.ts'
import { welcome } from './welcome.ts'
import { readWorkers } from './worker-count.ts'

export interface ServeOptions {
  demo?: boolean
  workers: string
}

/** How long stopping may take after the port is closed. */
const stopTimeoutMs = 10_000

/** Runs the service until a stop signal. */
export async function serve({ demo = false, workers }: ServeOptions): Promise<void> {
  const environment = readEnvironment()
  const config = readConfig(environment)
  if (cluster.isWorker) return (await import('./worker-process.ts')).runWorker(config, environment)

  for (const sentence of unknownSettings(environment)) process.stderr.write(`petstore: ${sentence}\n`)
  const count = readWorkers(workers, config)
  refuseUnusableBackupFolder(config)
  let certificate = readCertificate(config)
  // Loads the rest of the program while the writer thread starts.
  const [storage, { startEdge }, { metricsText, openMetrics }, { shopMetrics }, { storageMetrics }] = await Promise.all(
    [
      openStorage(config.databaseUrl, {
        readUrl: config.readDatabaseUrl,
        maxLagMs: config.readMaxLagMs,
        environment: config.environment,
        report: healthLog(config.logLevel),
      }),
      import('./edge.ts'),
      import('./metrics/collector.ts'),
      import('./metrics/shop-metrics.ts'),
      import('./metrics/process-metrics.ts'),
    ],
  )
  const metrics = openMetrics()
  const { engine } = readDatabaseUrl(config.databaseUrl)
  metrics.watch(() => storageMetrics(storage.stats()))
  metrics.watch(() => shopMetrics({ storage, clock: Date.now, engine }))
  const link = signInLink()
  let edge: Edge & { metricsText?: () => Promise<string> }
  let backups: Backups | undefined
  metrics.watch(async () => backupMetrics(backups))
  const ownMetrics = async () => metricsText([await metrics.snapshot()])
  try {
    edge =
      count === 1
        ? await startEdge({
            config,
            environment,
            storage,
            metrics,
            redeemCode: link.redeem,
            certificate,
            metricsText: config.metricsPort === undefined ? ownMetrics : undefined,
          })
        : await (await import('./workers.ts')).startWorkers(count, {
            config,
            storage,
            metrics,
            redeemCode: link.redeem,
            certificate: () => certificate,
          })
  } catch (error) {
    await storage.close()
    throw error
  }
  const metricsServer =
    config.metricsPort === undefined
      ? undefined
      : await (await import('./metrics/server.ts')).serveMetrics(
          edge.metricsText ?? ownMetrics,
          config.metricsHost,
          config.metricsPort,
        )

  async function useCertificate(renewed: Certificate): Promise<void> {
    certificate = renewed
    await edge.useCertificate(renewed)
  }

  const delay = config.drainSeconds * 1_000 + stopTimeoutMs
  const grace = closeWithGrace({ delay, logger: false, skip: [...stopSignals] }, async ({ err }) => {
    await Promise.all([edge.stop(err), backups?.stop()])
    metricsServer?.close()
    // If the disk is full, the WAL stays and the next start reads it: nothing is lost.
    await storage.close().catch((error: Error) => process.stderr.write(`petstore: ${error.message}\n`))
  })
  const stop = onlyOnce(grace.close)
  stopOnSignal(stop, certificate === undefined ? undefined : () => void reloadCertificate(config, useCertificate))
  if (environment['npm_lifecycle_event'] !== undefined) stopWithParent(stop)
  // bin/petstore.js has ended.
  process.once('disconnect', stop)

  backups = await startBackups(config)
  // After listening: a key created before a port conflict would never be shown.
  const firstKey = await issueFirstKey(storage.keys, config)
  const demoAnimals = demo ? await addDemoAnimals(storage) : 0
  process.stdout.write(
    welcome({
      version,
      environment: config.environment,
      database: withoutPassword(config.databaseUrl),
      address: edge.address,
      workers: count,
      firstKey,
      signInCode: firstKey === undefined ? undefined : () => link.offer(firstKey),
      metricsUrl: metricsServer?.url,
      demoAnimals,
    }),
  )
}
