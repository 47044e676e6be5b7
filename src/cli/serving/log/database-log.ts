import { leftOut, type RowKind, type UnreadableRow } from '../../../storage/shared/rows/unreadable-row.ts'
import { byLabel, type Metric } from '../metrics/metric.ts'
import type { Config } from '../../shared/config.ts'
import type { HealthReport } from '../../../storage/shared/errors.ts'

/** Rows that are remembered as logged. Beyond it, the number grows in the metric alone. */
const maxLogged = 1_000

/** Logs every damaged row that a list leaves out, once, and counts how often that happened. Returns the metric. */
export function watchUnreadableRows(
  level: Config['logLevel'],
  write = (sentence: string) => void writeToLog(level, sentence),
): () => Promise<Metric[]> {
  const counts = new Map<RowKind, number>()
  const logged = new Set<string>()

  leftOut.subscribe((message) => {
    const { kind, id, message: sentence } = message as UnreadableRow
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    const row = `${kind} ${id}`
    if (logged.has(row) || logged.size >= maxLogged) return
    logged.add(row)
    write(`${sentence} Lists leave it out. Run petstore check, and restore a backup or repair the row.`)
  })

  return async () => [
    byLabel(
      'counter',
      'petstore_unreadable_rows_total',
      'Times that a list has left out a damaged row, by what it is.',
      'kind',
      counts,
    ),
  ]
}

async function writeToLog(level: Config['logLevel'], sentence: string): Promise<void> {
  // Loaded on demand, as for the health of the database.
  const log = await (await import('./log.ts')).openLog(level)
  log.error(sentence)
}

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
