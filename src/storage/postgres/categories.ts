import type { Categories } from '../../inventory/categories.ts'
import type { Statement } from './database.ts'
import { toPage } from '../shared/page.ts'
import type { Readers } from './readers.ts'
import type { Writer } from './writer.ts'

type CategoryRow = [id: bigint, name: string]

const first: Statement = { name: 'categories', text: 'SELECT id, name FROM categories ORDER BY id LIMIT $1' }
const next: Statement = {
  name: 'categories_after',
  text: 'SELECT id, name FROM categories WHERE id > $2 ORDER BY id LIMIT $1',
}

export function postgresCategories({ read }: Readers, writer: Writer): Categories {
  return {
    async list(limit, after) {
      const { rows } = await (after === undefined ? read(first, [limit + 1]) : read(next, [limit + 1, after]))
      return toPage(rows as CategoryRow[], limit, ([id, name]) => ({ id, name }))
    },
    put: (category) => writer.write('putCategory', category),
  }
}
