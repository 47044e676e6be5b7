import { type Category, categoryMembers } from '../../../contract/category.ts'
import { columnNames } from '../../../contract/members.ts'
import { nameKeyOf } from '../../../inventory/category-names.ts'
import { isText, UnreadableRow } from './unreadable-row.ts'

export const categoryColumns = columnNames(categoryMembers).join(', ')

/** With what is derived from the name, to find the category by. */
export const storedCategoryColumns = `${categoryColumns}, name_key`

export function toStoredCategoryRow({ id, name }: Category): [id: bigint, name: string, nameKey: string] {
  return [id, name, nameKeyOf(name)]
}

export type CategoryRow = [id: bigint, name: string]

export function toCategory([id, name]: CategoryRow): Category {
  if (!isText(name)) throw new UnreadableRow('category', id, 'it has no name')
  return { id, name }
}
