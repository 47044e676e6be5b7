import type { Category } from '../../../contract/category.ts'

export const categoryColumns = 'id, name'

export type CategoryRow = [id: bigint, name: string]

export function toCategory([id, name]: CategoryRow): Category {
  return { id, name }
}
