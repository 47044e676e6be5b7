import { oneByOne } from './batch.ts'
import { counter } from './counters.ts'
import type { Statement } from './database.ts'
import type { Writer } from './writer.ts'

// pet_counts has the counts of each category by status. category_totals has their sums by category, pet_totals those by status,
// in one row. `event` in it is the last event whose change the sums include: every change of a pet has one. When it is not
// the latest, an instance of the version before, which knows nothing of totals, wrote too, and pet_counts tells until the
// totals are summed up anew.

const columns = { available: 'available', pending: 'pending', sold: 'sold', none: '' } as const
/** The counts of pet_counts by status, a column for each. */
export const sums = Object.entries(columns)
  .map(([column, status]) => `coalesce(sum(animals) FILTER (WHERE status = '${status}'), 0)::int8 AS ${column}`)
  .join(', ')

interface Moves {
  /** A query for category_id, status and by how many `animals` that count changes. */
  moves: string
  /** A query for the last event before those of the statement, or for nothing when it changes nothing. */
  eventBefore: string
  /** How many events the statement writes. */
  events: string
}

// All of them have a new version with every commit, so each is looked for from its newest on, as counters.ts explains.

export const totals = (selected: string) =>
  `SELECT ${selected} FROM pet_totals WHERE id >= 1 AND id <= 1 ORDER BY id DESC LIMIT 1`

/** A part of a WITH: counts pets that a statement adds, removes, or moves from one count to another. */
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

/** One statement for each combination of filters. Each also tells whether totals were void and all counts were added up. */
export const counts = {
  all: { name: 'count', text: total('available + pending + sold + none', addUp('')) },
  status: {
    name: 'count_by_status',
    text: total(
      "CASE $1 WHEN 'available' THEN available WHEN 'pending' THEN pending ELSE sold END",
      addUp('WHERE status = $1'),
    ),
  },
  category: { name: 'count_by_category', text: `SELECT ${addUp('WHERE category_id = $1')}, false` },
  both: {
    name: 'count_by_category_and_status',
    text: `SELECT ${addUp('WHERE category_id = $1 AND status = $2')}, false`,
  },
} satisfies Record<string, Statement>

function total(kept: string, otherwise: string): string {
  return `
    SELECT CASE WHEN event = last THEN ${kept} ELSE ${otherwise} END, event <> last
      FROM (${totals('*')}) AS totals, (${counter('events')}) AS latest`
}

function addUp(which: string): string {
  return `(SELECT coalesce(sum(animals), 0)::int8 FROM pet_counts ${which})`
}

export const sumTotals: Statement = {
  text: `
    WITH sized AS (
      SELECT category_id, sum(animals)::int8 AS animals FROM pet_counts GROUP BY category_id
    ), resized AS (
      UPDATE category_totals SET animals = sized.animals
        FROM sized WHERE category_totals.category_id = sized.category_id AND category_totals.animals <> sized.animals
    ), added AS (
      INSERT INTO category_totals (category_id, animals) SELECT category_id, animals FROM sized
        WHERE NOT EXISTS (SELECT 1 FROM category_totals AS known WHERE known.category_id = sized.category_id)
    )
    UPDATE pet_totals SET event = last,
        ${Object.keys(columns)
          .map((column) => `${column} = sums.${column}`)
          .join(', ')}
      FROM (${counter('events')}) AS latest, (SELECT ${sums} FROM pet_counts) AS sums
      WHERE pet_totals.ctid = (${totals('ctid')})`,
}

const sumIntervalMs = 60_000

/** Has the totals summed up anew. Nobody waits for it, and it is soon void while instances of the version before write too. */
export function totalsRepair(writer: Writer): () => void {
  let nextSumAt = 0
  return () => {
    if (performance.now() < nextSumAt) return
    nextSumAt = performance.now() + sumIntervalMs
    writer.write('sumTotals', undefined).catch(() => undefined)
  }
}

export const totalWrites = {
  sumTotals: oneByOne<undefined, void>(
    sumTotals,
    () => [],
    () => undefined,
  ),
}
