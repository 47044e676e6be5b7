import type { DatabaseSync } from 'node:sqlite'
import type { Category } from '../../contract/category.ts'
import { encodeCategory } from '../../contract/json.ts'
import type { CategoryPut } from '../../inventory/categories.ts'
import { isMet, type Precondition } from '../../inventory/precondition.ts'
import { prepareRows } from './database.ts'

/** What the writer does to categories. Each runs inside a transaction of the writer's. */
export function categoryWrites(db: DatabaseSync) {
  const nameOf = prepareRows(db, 'SELECT name FROM categories WHERE id = ?')
  const put = db.prepare(
    'INSERT INTO categories (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name',
  )

  return {
    putCategory(input: { category: Category; precondition?: Precondition }): CategoryPut {
      const { category, precondition = {} } = input
      const { id, name } = category
      const [before] = (nameOf.get(id) ?? []) as [string?]
      const isNew = before === undefined
      if (!isMet(precondition, isNew ? undefined : encodeCategory({ id, name: before }))) return { outcome: 'unmet' }
      put.run(id, name)
      return { outcome: isNew ? 'added' : 'renamed' }
    },
  }
}
