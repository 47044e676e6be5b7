import { type Category, categoryMembers } from '../../../contract/category.ts'
import { columnNames } from '../../../contract/members.ts'
import { isText, UnreadableRow } from './unreadable-row.ts'

export const categoryColumns = columnNames(categoryMembers).join(', ')

export type CategoryRow = [id: bigint, name: string]

export function toCategory([id, name]: CategoryRow): Category {
  if (!isText(name)) throw new UnreadableRow('category', id, 'it has no name')
  return { id, name }
}
