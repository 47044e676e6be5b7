import type { DatabaseSync } from 'node:sqlite'
import type { PetStatus } from '../../../contract/pet.ts'
import { type DayCounts, prepareDayCounts } from './day-counts.ts'

/**
 * Maintains the counts of pets: every writer to the table calls it. Changes are collected in memory during a
 * transaction and written once, before its commit. A category without pets has no row: lists of categories would have
 * to pass it.
 */
export interface PetCounts {
  /** Counts one more pet of this category and status. */
  add(categoryId: bigint, status: PetStatus | undefined): void
  /** Counts one pet less. */
  remove(categoryId: bigint, status: PetStatus | undefined): void
  /** Writes the collected changes: the last step of a transaction before its commit. */
  flush(): void
  /** Discards the collected changes after a rollback. */
  discard(): void
}

/** All that is counted in a transaction. */
export interface Counts extends Pick<PetCounts, 'flush' | 'discard'> {
  pets: PetCounts
  days: DayCounts
}

export function prepareCounts(db: DatabaseSync): Counts {
  const [pets, days] = [preparePetCounts(db), prepareDayCounts(db)]
  return {
    pets,
    days,
    flush() {
      pets.flush()
      days.flush()
    },
    discard() {
      pets.discard()
      days.discard()
    },
  }
}

/** The columns of both tables. A pet without a status counts as `none`. */
const columns = ['available', 'pending', 'sold', 'none'] as const
type ByStatus = Record<(typeof columns)[number], number>

const addExcluded = listOf((column) => `${column} = ${column} + excluded.${column}`)

function preparePetCounts(db: DatabaseSync): PetCounts {
  const countCategory = db.prepare(
    `INSERT INTO category_counts VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET ${addExcluded}`,
  )
  const forgetEmpty = db.prepare('DELETE FROM category_counts WHERE category_id = ? AND total = 0')
  const countAll = db.prepare(`UPDATE pet_totals SET ${listOf((column) => `${column} = ${column} + ?`)}`)
  const changes = new Map<bigint, ByStatus>()

  function change(categoryId: bigint, status: PetStatus | undefined, by: 1 | -1): void {
    let counts = changes.get(categoryId)
    if (counts === undefined) changes.set(categoryId, (counts = zero()))
    counts[status ?? 'none'] += by
  }

  return {
    add: (categoryId, status) => change(categoryId, status, 1),
    remove: (categoryId, status) => change(categoryId, status, -1),
    flush() {
      if (changes.size === 0) return
      const totals = zero()
      for (const [categoryId, { available, pending, sold, none }] of changes) {
        countCategory.run(categoryId, available, pending, sold, none)
        if (available + pending + sold + none <= 0) forgetEmpty.run(categoryId)
        totals.available += available
        totals.pending += pending
        totals.sold += sold
        totals.none += none
      }
      countAll.run(totals.available, totals.pending, totals.sold, totals.none)
      changes.clear()
    },
    discard: () => changes.clear(),
  }
}

/**
 * Counts all rows of a pet table at once, ordered by category. NOT INDEXED: scanning and sorting the rows is faster
 * than looking up each status in index order.
 */
export function countRows(db: DatabaseSync, table: string): void {
  const counted = listOf((column) => `count(*) FILTER (WHERE ifnull(status, 'none') = '${column}') AS ${column}`)
  db.exec(`
    INSERT INTO category_counts SELECT category_id, ${counted} FROM ${table} NOT INDEXED WHERE true GROUP BY category_id
      ON CONFLICT DO UPDATE SET ${addExcluded};
    UPDATE pet_totals SET ${listOf((column) => `${column} = pet_totals.${column} + counted.${column}`)}
      FROM (SELECT ${counted} FROM ${table} NOT INDEXED) AS counted`)
}

function zero(): ByStatus {
  return { available: 0, pending: 0, sold: 0, none: 0 }
}

function listOf(of: (column: string) => string): string {
  return columns.map(of).join(', ')
}
