import type { DatabaseSync } from 'node:sqlite'
import { afterKeys, type CategoryMatch, foldedKeyOf, matchOf, nameKeyOf } from '../../../inventory/category-names.ts'
import { prepareRows } from '../connection/database.ts'

/** Finds what a name stands for. */
export function prepareCategoryMatch(db: DatabaseSync): (name: string) => CategoryMatch {
  // At most two, whatever the number of categories with this name.
  const exact = prepareRows<[bigint]>(db, 'SELECT id FROM categories WHERE name_key = ? LIMIT 2')
  const similar = prepareRows<[bigint]>(
    db,
    `SELECT id FROM categories WHERE name_key >= ?1 AND name_key < ?1 || '${afterKeys}' LIMIT 2`,
  )
  return (name) => matchOf(exact.all(nameKeyOf(name)).flat(), similar.all(foldedKeyOf(name)).flat())
}
