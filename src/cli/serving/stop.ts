import closeWithGrace from 'close-with-grace'
import type { OpenStorage } from '../../storage/open.ts'
import type { Config } from '../shared/config.ts'
import type { Backups } from './backups/schedule.ts'
import type { RunningDeliveries } from './deliveries/deliveries.ts'
import type { Edge } from './edge.ts'
import { reloadCertificate } from './read-certificate.ts'
import { onlyOnce, stopOnSignal, stopSignals, stopWithChannel, stopWithParent } from './signals.ts'

/** What stops before the storage is closed. */
export interface Running {
  edge: Edge
  metricsServer: { close(): void } | undefined
  backups: Backups | undefined
  deliveries: RunningDeliveries
}

export interface StopOptions {
  config: Config
  environment: NodeJS.ProcessEnv
  storage: OpenStorage
  /** Requests may be served before the start has ended, so a signal waits for its end. */
  started: Promise<Running>
}

/** How long stopping may take after the port is closed. */
export const stopTimeoutMs = 10_000

/** Stops the service on a signal, after an uncaught error, or with the process that started it. */
export function stopGracefully({ config, environment, storage, started }: StopOptions): void {
  function watch({ edge, metricsServer, backups, deliveries }: Running) {
    const delay = config.drainSeconds * 1_000 + stopTimeoutMs
    return closeWithGrace({ delay, logger: false, skip: [...stopSignals] }, async ({ err }) => {
      await Promise.all([edge.stop(err), backups?.stop(), deliveries.stop()])
      metricsServer?.close()
      // If the disk is full, the WAL stays and the next start reads it: nothing is lost.
      await storage.close().catch((error: Error) => process.stderr.write(`petstore: ${error.message}\n`))
    })
  }

  // A start that fails ends the process itself.
  const running = started.catch(() => undefined)
  const grace = running.then((parts) => parts && watch(parts))
  const stop = onlyOnce(async () => (await grace)?.close())
  const reload = async () => {
    const parts = await running
    if (parts !== undefined) await reloadCertificate(config, parts.edge.useCertificate)
  }
  stopOnSignal(stop, config.tlsCert === undefined ? undefined : () => void reload())
  if (environment['npm_lifecycle_event'] !== undefined) stopWithParent(stop)
  // bin/petstore.js has ended.
  stopWithChannel(stop)
}
