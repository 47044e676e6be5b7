import { counter } from './counters.ts'
import type { PetStatements } from '../../shared/reads/filters.ts'
import type { Statement } from '../connection/database.ts'

// pet_counts has the counts of each category by status. category_totals has the sums by category, pet_totals the sums
// by status, in one row. Its `event` is the last event that the sums include: every change of a pet has one. If it is
// not the latest event, an instance of the version before, which does not know totals, has written; then pet_counts is
// used until the totals are summed again (totals-repair.ts).

export const columns = { available: 'available', pending: 'pending', sold: 'sold', none: '' } as const
/** The sums of pet_counts by status, one column each. */
export const sums = Object.entries(columns)
  .map(([column, status]) => `coalesce(sum(animals) FILTER (WHERE status = '${status}'), 0)::int8 AS ${column}`)
  .join(', ')

interface Moves {
  /** A query for category_id, status and the change of `animals` of that count. */
  moves: string
  /** A query for the last event before those of the statement; no row if it changes nothing. */
  eventBefore: string
  /** The number of events that the statement writes. */
  events: string
}

// Every commit leaves a new version of each row, so each is read from its newest on (counters.ts).

export const totals = (selected: string) =>
  `SELECT ${selected} FROM pet_totals WHERE id >= 1 AND id <= 1 ORDER BY id DESC LIMIT 1`

/** A part of a WITH: updates the counts for pets that a statement adds, removes or moves. */
export function countMoves({ moves, eventBefore, events }: Moves): string {
  const moved = '(moved.category_id, moved.status COLLATE "C")'
  return `moved AS (
      SELECT category_id, coalesce(status, '') AS status, sum(animals) AS animals FROM (${moves}) AS moves GROUP BY 1, 2
    ), located AS (
      SELECT moved.*, newest.place FROM moved LEFT JOIN LATERAL (
        SELECT pet_counts.ctid AS place FROM pet_counts
          WHERE (category_id, status) >= ${moved} AND (category_id, status) <= ${moved}
          ORDER BY category_id DESC, status DESC LIMIT 1
      ) AS newest ON true WHERE animals <> 0
    ), recounted AS (
      UPDATE pet_counts SET animals = pet_counts.animals + located.animals
        FROM located WHERE pet_counts.ctid = located.place
    ), counted AS (
      INSERT INTO pet_counts (category_id, status, animals)
        SELECT category_id, status, animals FROM located WHERE place IS NULL
    ), resized AS (
      SELECT sized.*, newest.place FROM (SELECT category_id, sum(animals) AS animals FROM moved GROUP BY 1) AS sized
        LEFT JOIN LATERAL (
          SELECT category_totals.ctid AS place FROM category_totals
            WHERE category_id >= sized.category_id AND category_id <= sized.category_id
            ORDER BY category_id DESC LIMIT 1
        ) AS newest ON true WHERE animals <> 0
    ), grown AS (
      UPDATE category_totals SET animals = category_totals.animals + resized.animals
        FROM resized WHERE category_totals.ctid = resized.place
    ), begun AS (
      INSERT INTO category_totals (category_id, animals)
        SELECT category_id, animals FROM resized WHERE place IS NULL
    ), totalled AS (
      UPDATE pet_totals SET event = event + ${events},
          ${Object.keys(columns)
            .map((column) => `${column} = pet_totals.${column} + sums.${column}`)
            .join(', ')}
        FROM (SELECT ${sums} FROM moved) AS sums
        WHERE pet_totals.ctid = (${totals('ctid')}) AND event = (${eventBefore})
    )`
}

/**
 * One statement per combination of filters. Each also returns whether the totals were void and all counts were added
 * up.
 */
export const counts = {
  all: { name: 'count', text: total('available + pending + sold + none', addUp('')) },
  status: {
    name: 'count_by_status',
    text: total(
      "CASE $1 WHEN 'available' THEN available WHEN 'pending' THEN pending ELSE sold END",
      addUp('WHERE status = $1'),
    ),
  },
  none: { name: 'count_without_status', text: total('none', addUp("WHERE status = ''")) },
  category: { name: 'count_by_category', text: `SELECT ${addUp('WHERE category_id = $1')}, false` },
  both: {
    name: 'count_by_category_and_status',
    text: `SELECT ${addUp('WHERE category_id = $1 AND status = $2')}, false`,
  },
  categoryAndNone: {
    name: 'count_by_category_without_status',
    text: `SELECT ${addUp("WHERE category_id = $1 AND status = ''")}, false`,
  },
} satisfies PetStatements<Statement>

function total(stored: string, addedUp: string): string {
  return `
    SELECT CASE WHEN event = last THEN ${stored} ELSE ${addedUp} END, event <> last
      FROM (${totals('*')}) AS totals, (${counter('events')}) AS latest`
}

function addUp(which: string): string {
  return `(SELECT coalesce(sum(animals), 0)::int8 FROM pet_counts ${which})`
}
