import { availableParallelism } from 'node:os'
import type { Config } from '../../shared/config.ts'
import { Failure } from '../../shared/failure.ts'
import type { Processes, ProcessesOptions } from './process-options.ts'

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
  const isOnMainPort = options.config.metricsAddress === undefined
  const edge = await startEdge({ ...options, metricsText: isOnMainPort ? ownMetrics : undefined })
  return { ...edge, metricsText: ownMetrics }
}

/** Reads the value of --workers. */
export function readWorkers(text: string, { databaseUrl }: Config): number {
  const count = text === 'auto' ? availableParallelism() : /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : 0
  if (count === 0) throw new Failure(`--workers must be auto or an integer from 1 to 999, got "${text}".`)
  if (count > 1 && databaseUrl === 'sqlite::memory:') {
    throw new Failure('--workers needs a database that processes can share: set PETSTORE_DATABASE_URL to a file.')
  }
  return count
}
