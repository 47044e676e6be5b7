import closeWithGrace from 'close-with-grace'
import type { OpenStorage } from '../../storage/open.ts'
import type { Config } from '../shared/config.ts'
import type { Backups } from './backups/schedule.ts'
import type { RunningDeliveries } from './deliveries/deliveries.ts'
import type { Edge } from './edge.ts'
import { hungThreads } from '../../threads/thread.ts'
import { openLog } from './log/log.ts'
import { reloadCertificate } from './read-certificate.ts'
import { endAtOnce, onlyOnce, stopOnSignal, stopSignals, stopWithChannel, stopWithParent } from './signals.ts'
import { withTimeout } from './timeout.ts'

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
const backupStopTimeoutMs = 5_000

/** Stops the service on a signal, after an uncaught error, or with the process that started it. */
export function stopGracefully({ config, environment, storage, started }: StopOptions): void {
  const timeoutMs = config.drainSeconds * 1_000 + stopTimeoutMs
  const startDeadline = onlyOnce(() => setTimeout(() => void endLate(config, timeoutMs), timeoutMs).unref())

  function watch({ edge, metricsServer, backups, deliveries }: Running) {
    const skip = [...stopSignals]
    return closeWithGrace({ delay: false, logger: false, skip, onSecondError: endAtOnce }, async ({ err }) => {
      startDeadline()
      const [backupHangs] = await Promise.all([hangs(backups?.stop()), edge.stop(err), deliveries.stop()])
      metricsServer?.close()
      // If the disk is full, the WAL stays and the next start reads it: nothing is lost.
      await storage.close().catch((error: Error) => process.stderr.write(`petstore: ${error.message}\n`))
      if (hungThreads().length > 0 || backupHangs) endAtOnce()
    })
  }

  // A start that fails ends the process itself.
  const running = started.catch(() => undefined)
  const grace = running.then((parts) => parts && watch(parts))
  const stop = onlyOnce(async () => {
    // Now: the start may hang, too.
    startDeadline()
    ;(await grace)?.close()
  })
  const reload = async () => {
    const parts = await running
    if (parts !== undefined) await reloadCertificate(config, parts.edge.useCertificate)
  }
  stopOnSignal(stop, config.tlsCert === undefined ? undefined : () => void reload())
  if (environment['npm_lifecycle_event'] !== undefined) stopWithParent(stop)
  // bin/petstore.js has ended.
  stopWithChannel(stop)
}

/** Whether the end of a backup takes too long: its disk may hang. */
function hangs(stopping: Promise<void> | undefined): Promise<boolean> {
  return withTimeout(Promise.resolve(stopping), backupStopTimeoutMs).then(
    () => false,
    () => true,
  )
}

/** The line may be lost: its disk may be the one that hangs. */
async function endLate({ logLevel }: Config, timeoutMs: number): Promise<void> {
  const log = await openLog(logLevel)
  log.error(`the service did not stop within ${timeoutMs / 1_000} s and was killed`)
  setImmediate(endAtOnce)
}
