import type { Category } from '../../contract/category.ts'
import { oneByOne } from './batch.ts'

/** What the writer does to categories. Each runs inside a transaction of the writer's. */
export const categoryWrites = {
  putCategory: oneByOne<Category, { isNew: boolean }>(
    {
      name: 'put_category',
      text: `
        WITH before AS (SELECT 1 FROM categories WHERE id = $1), put AS (
          INSERT INTO categories (id, name) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET name = excluded.name
        )
        SELECT NOT EXISTS (SELECT 1 FROM before)`,
    },
    ({ id, name }) => [id, name],
    ({ rows }) => ({ isNew: (rows[0] as [boolean])[0] }),
  ),
}
