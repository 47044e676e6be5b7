import { dayCounts, type DayRow, type Days, wholeRange } from '../../../inventory/days.ts'
import type { Statement } from '../connection/statement.ts'
import type { Reads } from '../reads/read.ts'

const range: Statement = {
  name: 'days',
  text: `SELECT day, ${dayCounts.join(', ')} FROM day_counts WHERE day BETWEEN $1 AND $2`,
}

export function postgresDays({ read }: Reads): Days {
  return {
    async list(first, last) {
      const { rows } = await read(range, [first, last])
      return wholeRange(first, last, rows as DayRow[])
    },
  }
}
