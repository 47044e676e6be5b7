import cluster from 'node:cluster'
import closeWithGrace from 'close-with-grace'
import type { Certificate } from '../../../http/server/certificate.ts'
import { unavailable } from '../../../inventory/errors.ts'
import { type OpenStorage, openStorage } from '../../../storage/open.ts'
import { StorageError } from '../../../storage/shared/errors.ts'
import type { Config } from '../../shared/config.ts'
import { Failure } from '../../shared/failure.ts'
import { type Edge, startEdge } from '../edge.ts'
import { watchStall } from '../deliveries/stall-watch.ts'
import type { PrimaryFunctions, WorkerFunctions } from './process-calls.ts'
import { openMetrics } from '../metrics/collector.ts'
import { watchUnreadableRows } from '../log/database-log.ts'
import { watchThreads } from '../log/thread-log.ts'
import { storageMetrics } from '../metrics/process-metrics.ts'
import { endAtOnce, onlyOnce, stopSignals, stopWithChannel } from '../signals.ts'
import { connectCalls } from '../../../threads/calls.ts'
import { hungThreads } from '../../../threads/thread.ts'
import { withTimeout } from '../timeout.ts'

/** Longer than the first process waits for the others. */
const primaryTimeoutMs = 2_500

/** A process started by `startWorkers`. */
export async function runWorker(config: Config, environment: NodeJS.ProcessEnv): Promise<void> {
  const metrics = openMetrics()
  const functions: WorkerFunctions = {
    metrics: () => metrics.snapshot(),
    heartbeat() {},
    stop: () => stop(),
    serve: async () => edge?.serve(),
    async useCertificate(renewed) {
      certificate = renewed
      await edge?.useCertificate(renewed)
    },
  }
  const primary = connectCalls<PrimaryFunctions>(
    process as Required<Pick<NodeJS.Process, 'send'>> & NodeJS.Process,
    functions,
  )
  let storage: OpenStorage | undefined
  let edge: Edge | undefined
  let certificate: Certificate | undefined
  const grace = closeWithGrace({ delay: false, logger: false, skip: [...stopSignals] }, async ({ err }) => {
    await edge?.stop(err)
    await storage?.close()
    cluster.worker?.disconnect()
    if (hungThreads().length > 0) endAtOnce()
  })
  const stop = onlyOnce(grace.close)
  process.on('SIGTERM', stop)
  // A key press and a closed terminal also reach the first process, which tells the workers to stop.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
  // A worker cannot continue without the first process.
  stopWithChannel(endAtOnce)
  try {
    const relay = {
      commit: (group: unknown) => primary.call('commit', group),
      check: () => primary.call('check'),
      files: () => primary.call('files'),
      foundDamage: (message: string) => primary.call('foundDamage', message),
    }
    storage = await openStorage(config.databaseUrl, {
      relay,
      readUrl: config.readDatabaseUrl,
      environment: config.environment,
    })
    const opened = storage
    metrics.watch(() => storageMetrics(opened.stats()))
    metrics.watch(watchUnreadableRows(config.logLevel))
    metrics.watch(watchThreads(config.logLevel))
    /** For requests: the first process may be hung. */
    const answerOf = <Result>(call: Promise<Result>, sentence: string) =>
      withTimeout(call, primaryTimeoutMs).catch((error: Error) => {
        throw unavailable(sentence, error)
      })
    const allMetrics = () => answerOf(primary.call('metricsText'), 'The metrics cannot be read; try again.')
    const stallWatch = watchStall(storage.deliveries)
    stallWatch.ask(() => withTimeout(primary.call('deliveryStall'), primaryTimeoutMs))
    certificate = await primary.call('certificate')
    edge = await startEdge({
      config,
      environment,
      storage,
      metrics,
      stallWatch,
      redeemCode: (code) => answerOf(primary.call('redeemCode', code), 'The link cannot be checked; try again.'),
      certificate,
      released: () => withTimeout(primary.call('released')).catch(() => undefined),
      metricsText: config.metricsAddress === undefined ? allMetrics : undefined,
    })
    // It may have been replaced in the meantime.
    if (certificate !== undefined) await edge.useCertificate(certificate)
    await primary.call('started', edge.address)
  } catch (error) {
    if (!(error instanceof Failure || error instanceof StorageError)) throw error
    await primary.call('failed', error.message)
    process.exit(1)
  }
}
