import type { DatabaseSync } from 'node:sqlite'
import type { Categories } from '../../../inventory/categories.ts'
import type { Clock } from '../../../inventory/clock.ts'
import { prepareRows, readsOf } from '../connection/database.ts'
import { categoryColumns, type CategoryRow, toCategory } from '../../shared/rows/category-row.ts'
import type { SearchBudget } from '../../shared/reads/find-by-name.ts'
import { withNameSearch } from '../../shared/reads/find-categories.ts'
import { toPage } from '../../shared/reads/page.ts'
import type { Writer } from '../writes/writer.ts'

export function sqliteCategories(
  reader: DatabaseSync,
  writer: Writer,
  clock: Clock,
  budget?: SearchBudget,
): Categories {
  const read = readsOf(reader)
  const columns = `SELECT ${categoryColumns} FROM categories`
  // Two statements, because no id is below the lowest int64, which may be the id of a category.
  const first = prepareRows(reader, `${columns} ORDER BY id LIMIT (? + 0)`)
  const next = prepareRows(reader, `${columns} WHERE id > ? ORDER BY id LIMIT (? + 0)`)
  const one = prepareRows(reader, `${columns} WHERE id = ?`)

  const list = (limit: number, after?: bigint) =>
    read(() => {
      const rows = after === undefined ? first.all(limit + 1) : next.all(after, limit + 1)
      return toPage(rows as unknown as CategoryRow[], limit, toCategory)
    })

  return {
    list: withNameSearch(list, budget),

    find: (id) =>
      read(() => {
        const row = one.get(id) as CategoryRow | undefined
        return row === undefined ? undefined : toCategory(row)
      }),

    put: (category, precondition) => writer.write('putCategory', { category, ...(precondition && { precondition }) }),

    create: (category, idempotencyKey) =>
      writer.write('createCategory', { category, at: clock(), ...(idempotencyKey && { idempotencyKey }) }),

    remove: (id, precondition) => writer.write('removeCategory', { id, ...(precondition && { precondition }) }),
  }
}
