import closeWithGrace from 'close-with-grace'
import type { OpenStorage } from '../../storage/open.ts'
import type { Config } from '../shared/config.ts'
import type { Backups } from './backups/schedule.ts'
import type { Edge } from './edge.ts'
import { reloadCertificate } from './read-certificate.ts'
import { onlyOnce, stopOnSignal, stopSignals, stopWithParent } from './signals.ts'

export interface StopOptions {
  config: Config
  environment: NodeJS.ProcessEnv
  storage: OpenStorage
  edge: Edge
  metricsServer: { close(): void } | undefined
  backups: Backups | undefined
}

/** How long stopping may take after the port is closed. */
export const stopTimeoutMs = 10_000

/** Stops the service on a signal, after an uncaught error, or with the process that started it. */
export function stopGracefully({ config, environment, storage, edge, metricsServer, backups }: StopOptions): void {
  const delay = config.drainSeconds * 1_000 + stopTimeoutMs
  const grace = closeWithGrace({ delay, logger: false, skip: [...stopSignals] }, async ({ err }) => {
    await Promise.all([edge.stop(err), backups?.stop()])
    metricsServer?.close()
    // If the disk is full, the WAL stays and the next start reads it: nothing is lost.
    await storage.close().catch((error: Error) => process.stderr.write(`petstore: ${error.message}\n`))
  })
  const stop = onlyOnce(grace.close)
  const reload = () => void reloadCertificate(config, edge.useCertificate)
  stopOnSignal(stop, config.tlsCert === undefined ? undefined : reload)
  if (environment['npm_lifecycle_event'] !== undefined) stopWithParent(stop)
  // bin/petstore.js has ended.
  process.once('disconnect', stop)
}
