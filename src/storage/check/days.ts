import { countedAs, dateOf, dayCounts, dayMs } from '../../inventory/days.ts'
import type { CheckedDatabase } from '../shared/checked-database.ts'

const ofEvents = Object.entries(countedAs).map(
  ([type, name]) => `sum(CASE WHEN type = '${type}' THEN 1 ELSE 0 END) AS ${name}`,
)
const sums = (sign: '' | '-') => dayCounts.map((name) => `${sign}${name} AS ${name}`).join(', ')

/**
 * Of each day, how many more were counted than there are stored events. Days before the first stored event, and that of
 * the event itself, may have had others, unless no event was ever deleted.
 */
const differences = `
  SELECT day, ${dayCounts.map((name) => `CAST(sum(${name}) AS bigint)`).join(', ')}, CAST(min(is_whole) AS bigint) FROM (
    SELECT day, ${sums('')}, CASE WHEN (SELECT min(id) FROM events) = 1
        OR day > (SELECT at / ${dayMs} FROM events ORDER BY id LIMIT 1) THEN 1 ELSE 0 END AS is_whole FROM day_counts
    UNION ALL SELECT day, ${sums('-')}, 1 FROM (
      SELECT at / ${dayMs} AS day, ${ofEvents.join(', ')} FROM events GROUP BY at / ${dayMs}) AS happened) AS both_sides
  GROUP BY day HAVING ${dayCounts.map((name) => `sum(${name}) <> 0`).join(' OR ')} ORDER BY day`

export async function* findWrongDays(db: CheckedDatabase): AsyncIterable<string> {
  for await (const [day, ...row] of db.query(differences)) {
    const isWhole = row.at(-1) === 1n
    for (const [index, name] of dayCounts.entries()) {
      const more = row[index] as bigint
      const date = dateOf(Number(day))
      if (more < 0n) yield `On ${date}, ${-more} fewer are counted as ${name} than there are events.`
      else if (more > 0n && isWhole) yield `On ${date}, ${more} more are counted as ${name} than there are events.`
    }
  }
}
