import { int64Min } from '../../../contract/int64.ts'
import { oneByOne } from './batch.ts'
import { counter } from '../schema/counters.ts'
import { columns, sums, totals } from '../schema/counts.ts'
import type { Statement } from '../connection/database.ts'
import type { Writer } from './writer.ts'

export const sumTotals: Statement = {
  text: `
    UPDATE pet_totals SET event = last, sums = pet_totals.sums + 1,
        ${Object.keys(columns)
          .map((column) => `${column} = sums.${column}`)
          .join(', ')}
      FROM (${counter('events')}) AS latest, (SELECT ${sums} FROM pet_counts) AS sums
      WHERE pet_totals.ctid = (${totals('ctid')}) RETURNING pet_totals.sums`,
}

/** A category has at most four. Few rows at a time, each part in a turn of its own, so that nobody waits long. */
const countsAtOnce = 4_000

/**
 * Sums up the counts of the categories from one on, and returns the category to go on from, NULL at the end. The last
 * category of the part may continue in the next, which then does it. Rows are located one by one, whatever the
 * statistics say.
 */
const sumCategories: Statement = {
  text: `
    WITH part AS (
      SELECT category_id, animals FROM pet_counts WHERE category_id >= $1 ORDER BY category_id, status LIMIT ${countsAtOnce}
    ), following AS (
      SELECT max(category_id) AS category_id FROM part HAVING count(*) = ${countsAtOnce}
    ), sized AS (
      SELECT category_id, sum(animals)::int8 AS animals FROM part
        WHERE NOT EXISTS (SELECT 1 FROM following WHERE following.category_id = part.category_id) GROUP BY category_id
    ), located AS (
      SELECT sized.*, known.place, known.animals AS before FROM sized LEFT JOIN LATERAL (
        SELECT ctid AS place, animals FROM category_totals
          WHERE category_id >= sized.category_id AND category_id <= sized.category_id
          ORDER BY category_id DESC LIMIT 1
      ) AS known ON true
    ), resized AS (
      UPDATE category_totals SET animals = located.animals
        FROM located WHERE category_totals.ctid = located.place AND located.animals <> located.before
    ), added AS (
      INSERT INTO category_totals (category_id, animals) SELECT category_id, animals FROM located WHERE place IS NULL
    )
    SELECT max(category_id) FROM following`,
}
/** Unless an older instance wrote since: then the totals are void, or were summed up again. */
const confirmCategories: Statement = {
  text: `UPDATE pet_totals SET category_sums = sums WHERE pet_totals.ctid = (${totals('ctid')}) AND sums = $1`,
}

/** For a database without category totals that nobody else uses. */
export const sumAllCategories: readonly Statement[] = [
  {
    text: `INSERT INTO category_totals (category_id, animals)
      SELECT category_id, sum(animals) FROM pet_counts GROUP BY category_id`,
  },
  { text: 'UPDATE pet_totals SET category_sums = sums' },
]

const sumIntervalMs = 60_000

/** Sums the totals again in the background. They become void again while instances of the version before write. */
export function totalsRepair(writer: Writer): () => void {
  let nextSumAt = 0
  return () => {
    if (performance.now() < nextSumAt) return
    nextSumAt = performance.now() + sumIntervalMs
    sumUp(writer).catch(() => undefined)
  }
}

async function sumUp(writer: Writer): Promise<void> {
  const sums = await writer.write('sumTotals', undefined)
  for (let from: bigint | undefined = int64Min; from !== undefined; ) from = await writer.write('sumCategories', from)
  await writer.write('confirmCategories', sums)
}

export const totalWrites = {
  sumTotals: oneByOne<undefined, bigint>(
    sumTotals,
    () => [],
    ({ rows }) => (rows[0] as [bigint])[0],
  ),
  /** Resolves to the category to go on from, undefined at the end. */
  sumCategories: oneByOne<bigint, bigint | undefined>(
    sumCategories,
    (from) => [from],
    ({ rows }) => (rows[0] as [bigint | null])[0] ?? undefined,
  ),
  confirmCategories: oneByOne<bigint, void>(
    confirmCategories,
    (sums) => [sums],
    () => undefined,
  ),
}
