import type { Config } from '../../shared/config.ts'
import type { HealthReport } from '../../../storage/shared/health-report.ts'

/** Logs failures of the database, one line per change, and its recovery. */
export function healthLog(level: Config['logLevel']): HealthReport {
  async function write(...[problem, recovery]: Parameters<HealthReport>): Promise<void> {
    // Loaded on demand: with workers, this process seldom logs.
    const log = await (await import('./log.ts')).openLog(level)
    if (problem === undefined) log.info(recovery ?? 'the database has recovered: writes succeed')
    else log.error(problem)
  }
  return (...report) => void write(...report)
}
