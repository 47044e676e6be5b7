import type { Config } from '../shared/config.ts'
import type { HealthReport } from '../../storage/shared/health-report.ts'

/** Logs what becomes wrong with the database, one line for each change, and that it is well again. */
export function healthLog(level: Config['logLevel']): HealthReport {
  async function write(...[problem, recovery]: Parameters<HealthReport>): Promise<void> {
    // Loaded when it is first needed: with workers, this process seldom logs anything.
    const log = await (await import('./log.ts')).openLog(level)
    if (problem === undefined) log.info(recovery ?? 'the database has recovered: writes succeed')
    else log.error(problem)
  }
  return (...report) => void write(...report)
}
