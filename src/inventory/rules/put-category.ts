import { type Category, encodeCategory } from '../../contract/category.ts'
import type { CategoryPut } from '../categories.ts'
import { isMet, type Precondition } from '../precondition.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'

export interface PutCategory {
  category: Category
  precondition?: Precondition | undefined
}

export function putCategory(facts: Facts, { category, precondition }: PutCategory): Decision<CategoryPut> {
  const before = facts.find('categories', category.id)
  if (!isMet(precondition, before && encodeCategory(before))) return unchanged({ outcome: 'unmet' })
  return changed({ outcome: before === undefined ? 'added' : 'renamed' }, [
    { type: 'resource.put', table: 'categories', item: category },
  ])
}
