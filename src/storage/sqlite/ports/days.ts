import type { DatabaseSync } from 'node:sqlite'
import { dayCounts, type DayRow, type Days, wholeRange } from '../../../inventory/days.ts'
import { prepareRows, readsOf } from '../connection/database.ts'

export function sqliteDays(reader: DatabaseSync): Days {
  const read = readsOf(reader)
  const range = prepareRows<DayRow>(
    reader,
    `SELECT day, ${dayCounts.join(', ')} FROM day_counts WHERE day BETWEEN ? AND ?`,
  )
  return { list: (first, last) => read(() => wholeRange(first, last, range.all(first, last))) }
}
