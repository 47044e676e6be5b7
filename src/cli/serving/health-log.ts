import type { Config } from '../config.ts'
import type { HealthReport } from '../../storage/shared/health-report.ts'
import type { Log } from './log.ts'

/** Logs what becomes wrong with the database, one line for each change, and that it is well again. */
export function healthLog(level: Config['logLevel']): HealthReport {
  // Opened when it is first needed: with workers, this process logs nothing else.
  let opening: Promise<Log> | undefined

  async function write(...[problem, recovery]: Parameters<HealthReport>): Promise<void> {
    opening ??= import('./log.ts').then(({ openLog }) => openLog(level))
    const log = await opening
    if (problem === undefined) log.info(recovery ?? 'the database is well again: writes succeed')
    else log.error(problem)
    log.flush()
  }
  return (...report) => void write(...report)
}
