import type { DatabaseSync } from 'node:sqlite'
import type { Categories } from '../../../inventory/categories.ts'
import type { Clock } from '../../../inventory/clock.ts'
import { prepareRows, readsOf } from '../connection/database.ts'
import { categoryColumns, type CategoryRow, toCategory } from '../../shared/rows/category-row.ts'
import { filterByName } from '../../shared/reads/find-by-name.ts'
import { toPage } from '../../shared/reads/page.ts'
import type { Writer } from '../writes/writer.ts'

export function sqliteCategories(reader: DatabaseSync, writer: Writer, clock: Clock): Categories {
  const read = readsOf(reader)
  const columns = `SELECT ${categoryColumns} FROM categories`
  // Two statements, because no id is below the lowest int64, which may be the id of a category.
  const first = prepareRows(reader, `${columns} ORDER BY id LIMIT ?`)
  const next = prepareRows(reader, `${columns} WHERE id > ? ORDER BY id LIMIT ?`)
  const one = prepareRows(reader, `${columns} WHERE id = ?`)

  const list = (limit: number, after?: bigint) =>
    read(() => {
      const rows = after === undefined ? first.all(limit + 1) : next.all(after, limit + 1)
      return toPage(rows as unknown as CategoryRow[], limit, toCategory)
    })

  return {
    list: (limit, after, name) => (name === undefined ? list(limit, after) : filterByName(name, limit, after, list)),

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
