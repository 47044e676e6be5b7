import { encodeCategory } from '../../contract/category.ts'
import type { CategoryRemoval } from '../categories.ts'
import { isMet, type Precondition } from '../precondition.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'

export interface RemoveCategory {
  id: bigint
  precondition?: Precondition | undefined
}

/** A category that no pet has can lose its name. */
export function removeCategory(facts: Facts, { id, precondition }: RemoveCategory): Decision<CategoryRemoval> {
  const category = facts.find('categories', id)
  if (category === undefined) return unchanged({ outcome: 'missing' })
  if (!isMet(precondition, encodeCategory(category))) return unchanged({ outcome: 'unmet' })
  if (facts.hasPets(id)) return unchanged({ outcome: 'used' })
  return changed({ outcome: 'removed' }, [{ type: 'resource.removed', table: 'categories', id }])
}
