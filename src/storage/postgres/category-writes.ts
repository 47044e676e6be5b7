import type { Category } from '../../contract/category.ts'
import type { CategoryPut } from '../../inventory/categories.ts'
import type { Precondition } from '../../inventory/precondition.ts'
import { oneByOne } from './batch.ts'
import { categoryJson, isUnmet, preconditionValues } from './fragments.ts'

/** What the writer does to categories. Each runs inside a transaction of the writer's. */
export const categoryWrites = {
  putCategory: oneByOne<{ category: Category; precondition?: Precondition }, CategoryPut>(
    {
      name: 'put_category',
      text: `
        WITH before AS (
          SELECT id, name FROM categories WHERE id = $1
        ), verdict AS (
          SELECT CASE
            WHEN ${isUnmet(3, 'before', categoryJson('before'))} THEN 'unmet'
            WHEN EXISTS (SELECT 1 FROM before) THEN 'renamed'
            ELSE 'added' END AS outcome
        ), put AS (
          INSERT INTO categories (id, name) SELECT $1, $2 FROM verdict WHERE outcome <> 'unmet'
            ON CONFLICT (id) DO UPDATE SET name = excluded.name
        )
        SELECT outcome FROM verdict`,
    },
    ({ category: { id, name }, precondition }) => [id, name, ...preconditionValues(precondition)],
    ({ rows }) => ({ outcome: (rows[0] as [CategoryPut['outcome']])[0] }),
  ),
}
