import type { DatabaseSync } from 'node:sqlite'
import type { Category } from '../../contract/category.ts'

/** What the writer does to categories. Each runs inside a transaction of the writer's. */
export function categoryWrites(db: DatabaseSync) {
  const rename = db.prepare('UPDATE categories SET name = ? WHERE id = ?')
  const insert = db.prepare('INSERT INTO categories (id, name) VALUES (?, ?)')

  return {
    putCategory({ id, name }: Category): { isNew: boolean } {
      const isNew = rename.run(name, id).changes === 0
      if (isNew) insert.run(id, name)
      return { isNew }
    },
  }
}
