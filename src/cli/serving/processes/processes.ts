import type { Certificate } from '../../../http/server/certificate.ts'
import type { RedeemCode } from '../../../http/pages/console.ts'
import type { OpenStorage } from '../../../storage/open.ts'
import type { Config } from '../../shared/config.ts'
import type { Edge } from '../edge.ts'
import type { Metrics } from '../metrics/collector.ts'

export interface ProcessesOptions {
  config: Config
  environment: NodeJS.ProcessEnv
  storage: OpenStorage
  /** Of this process. */
  metrics: Metrics
  redeemCode: RedeemCode
  /** For HTTPS. */
  certificate: Certificate | undefined
}

/** The HTTP edge of all processes. */
export interface Processes extends Edge {
  metricsText: () => Promise<string>
}

/** Starts the HTTP edge in this process, or in `count` workers. Closes the storage if that fails. */
export async function startProcesses(count: number, options: ProcessesOptions): Promise<Processes> {
  try {
    if (count === 1) return await startInThisProcess(options)
    const { startWorkers } = await import('./workers.ts')
    return await startWorkers(count, options)
  } catch (error) {
    await options.storage.close()
    throw error
  }
}

async function startInThisProcess(options: ProcessesOptions): Promise<Processes> {
  const [{ startEdge }, { metricsText }] = await Promise.all([import('../edge.ts'), import('../metrics/collector.ts')])
  const ownMetrics = async () => metricsText([await options.metrics.snapshot()])
  const isOnMainPort = options.config.metricsPort === undefined
  const edge = await startEdge({ ...options, metricsText: isOnMainPort ? ownMetrics : undefined })
  return { ...edge, metricsText: ownMetrics }
}
