import { filteredMembers } from '../../../inventory/pets.ts'
import { byFilter, type Condition } from '../../shared/reads/filters.ts'
import type { Statement } from '../connection/statement.ts'

// category_counts has the number of pets of each category by status, pet_totals their sums, in one row. Every commit
// leaves a new version of each changed row, so each is read from its newest on (counters.ts). A category without pets has
// no row: lists of categories would have to pass it.

/** The columns of both tables. A pet without a status counts as `none`. */
const columns = ['available', 'pending', 'sold', 'none'] as const

/** A query for columns of the totals. */
export const totals = (selected: string) =>
  `SELECT ${selected} FROM pet_totals WHERE id >= 1 AND id <= 1 ORDER BY id DESC LIMIT 1`

/** A query for columns of the counts of a category. No row: the category has no pet. */
export const countsOf = (categoryId: string, selected: string) => `
  SELECT ${selected} FROM category_counts WHERE category_id >= ${categoryId} AND category_id <= ${categoryId}
    ORDER BY category_id DESC LIMIT 1`

/**
 * A part of a WITH: updates the counts for pets that a statement adds, removes or moves. `moves` is a query for
 * category_id, status and animals: how many pets more. A statement that only adds pets empties no category.
 */
export function countMoves(moves: string, { canEmpty = false } = {}): string {
  const sums = listOf((name) => `coalesce(sum(${name}), 0)::int8 AS ${name}`)
  const isEmpty = `located.before + ${columns.map((name) => `located.${name}`).join(' + ')} = 0`
  const emptied = `emptied AS (
      DELETE FROM category_counts USING located WHERE category_counts.ctid = located.version AND ${isEmpty}
    ),`
  return `moved AS (
      SELECT category_id, ${counted('animals')} FROM (${moves}) AS moves GROUP BY category_id
    ), located AS (
      SELECT moved.*, newest.version, newest.before FROM moved
        LEFT JOIN LATERAL (
          ${countsOf('moved.category_id', 'category_counts.ctid AS version, category_counts.total AS before')}
        ) AS newest ON true
        WHERE ${columns.map((name) => `moved.${name} <> 0`).join(' OR ')}
    ), recounted AS (
      UPDATE category_counts SET ${listOf((name) => `${name} = category_counts.${name} + located.${name}`)}
        FROM located WHERE category_counts.ctid = located.version ${canEmpty ? `AND NOT ${isEmpty}` : ''}
    ), ${canEmpty ? emptied : ''} counted AS (
      INSERT INTO category_counts (category_id, ${columns.join(', ')})
        SELECT category_id, ${columns.join(', ')} FROM located WHERE version IS NULL
    ), totalled AS (
      UPDATE pet_totals SET ${listOf((name) => `${name} = pet_totals.${name} + sums.${name}`)}
        FROM (SELECT ${sums} FROM moved) AS sums WHERE pet_totals.ctid = (${totals('ctid')})
    )`
}

/** Counts all pets of a database without counts. */
export const countAll: readonly Statement[] = [
  {
    text: `INSERT INTO category_counts (category_id, ${columns.join(', ')})
      SELECT category_id, ${counted('1')} FROM pets GROUP BY category_id`,
  },
  {
    text: `UPDATE pet_totals SET ${listOf((name) => `${name} = sums.${name}`)}
      FROM (SELECT ${listOf((name) => `coalesce(sum(${name}), 0)::int8 AS ${name}`)} FROM category_counts) AS sums`,
  },
]

// The compiler refuses a filter that has no counts.
const { categoryId, status: statusMember, ...others } = filteredMembers
others satisfies Record<string, never>

/** One statement per combination of filters. */
export const counts = byFilter(countOf)

/** The number of pets that meet the conditions, whose values are the first parameters. */
export function countOf(conditions: readonly Condition[]): Statement & { name: string } {
  const [category, status] = [categoryId, statusMember].map((member) =>
    conditions.find(({ column }) => column === member.column),
  )
  const counted =
    status === undefined
      ? columns.join(' + ')
      : status.isAbsent
        ? 'none'
        : ofStatus(category === undefined ? '$1' : '$2')
  return {
    name: ['count', category && 'by_category', status && (status.isAbsent ? 'without_status' : 'by_status')]
      .filter(Boolean)
      .join('_'),
    text: category === undefined ? totals(counted) : orZero(countsOf('$1', counted)),
  }
}

function ofStatus(status: string): string {
  return `CASE ${status} WHEN 'available' THEN available WHEN 'pending' THEN pending ELSE sold END`
}

function orZero(query: string): string {
  return `SELECT coalesce((${query}), 0)`
}

/** Adds up `animals` by status, one column each. */
function counted(animals: string): string {
  return listOf(
    (name) => `coalesce(sum(${animals}) FILTER (WHERE coalesce(status, 'none') = '${name}'), 0)::int8 AS ${name}`,
  )
}

function listOf(of: (column: string) => string): string {
  return columns.map(of).join(', ')
}
