import type { Category } from '../../../contract/category.ts'
import type { Categories } from '../../../inventory/categories.ts'
import type { Page } from '../../../inventory/page.ts'
import type { Clock } from '../../../inventory/clock.ts'
import type { Statement } from '../connection/database.ts'
import { categoryColumns, type CategoryRow, toCategory } from '../../shared/rows/category-row.ts'
import type { SearchBudget } from '../../shared/reads/find-by-name.ts'
import { withNameSearch } from '../../shared/reads/find-categories.ts'
import { toPage } from '../../shared/reads/page.ts'
import type { Readers } from '../reads/readers.ts'
import type { Writer } from '../writes/writer.ts'

const columns = `SELECT ${categoryColumns} FROM categories`
const first: Statement = { name: 'categories', text: `${columns} ORDER BY id LIMIT $1` }
const next: Statement = { name: 'categories_after', text: `${columns} WHERE id > $2 ORDER BY id LIMIT $1` }
const one: Statement = { name: 'category', text: `${columns} WHERE id = $1` }

export function postgresCategories({ read }: Readers, writer: Writer, clock: Clock, budget?: SearchBudget): Categories {
  async function list(limit: number, after?: bigint): Promise<Page<Category>> {
    const { rows } = await (after === undefined ? read(first, [limit + 1]) : read(next, [limit + 1, after]))
    return toPage(rows as CategoryRow[], limit, toCategory)
  }

  return {
    list: withNameSearch(list, budget),
    async find(id) {
      const [row] = (await read(one, [id])).rows as CategoryRow[]
      return row === undefined ? undefined : toCategory(row)
    },
    put: (category, precondition) => writer.write('putCategory', { category, ...(precondition && { precondition }) }),
    create: (category, idempotencyKey) =>
      writer.write('createCategory', { category, at: clock(), ...(idempotencyKey && { idempotencyKey }) }),
    remove: (id, precondition) => writer.write('removeCategory', { id, ...(precondition && { precondition }) }),
  }
}
