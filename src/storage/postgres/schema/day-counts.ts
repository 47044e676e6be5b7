import { countedAs, dayCounts, dayMs } from '../../../inventory/days.ts'

// Every commit leaves a new version of today's row, so it is read from its newest on, as those of counts.ts.
const newest = `SELECT day_counts.ctid AS version FROM day_counts WHERE day_counts.day >= happened.day
  AND day_counts.day <= happened.day ORDER BY day_counts.day DESC LIMIT 1`

/**
 * A part of a WITH: counts events that a statement adds by their days. `events` is a query for type, at and number: how
 * many there are.
 */
export function countDays(events: string): string {
  const counts = Object.entries(countedAs).map(
    ([type, name]) => `coalesce(sum(number) FILTER (WHERE type = '${type}'), 0)::int8 AS ${name}`,
  )
  return `happened AS (
      SELECT at / ${dayMs} AS day, ${counts.join(', ')} FROM (${events}) AS counted_events
        WHERE type IN (${Object.keys(countedAs)
          .map((type) => `'${type}'`)
          .join(', ')}) GROUP BY at / ${dayMs}
    ), located_days AS (
      SELECT happened.*, newest.version FROM happened LEFT JOIN LATERAL (${newest}) AS newest ON true
    ), recounted_days AS (
      UPDATE day_counts SET ${dayCounts.map((name) => `${name} = day_counts.${name} + located_days.${name}`).join(', ')}
        FROM located_days WHERE day_counts.ctid = located_days.version
    ), counted_days AS (
      INSERT INTO day_counts (day, ${dayCounts.join(', ')})
        SELECT day, ${dayCounts.join(', ')} FROM located_days WHERE version IS NULL
    )`
}
