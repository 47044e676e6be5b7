import { decodeCategory, encodeCategory, type NewCategory } from '../../contract/category.ts'
import type { CategoryCreation } from '../categories.ts'
import type { IdempotencyKey } from '../idempotency-key.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'
import { replayOf, storeResponse } from './idempotency.ts'

export interface CreateCategory {
  category: NewCategory
  idempotencyKey?: IdempotencyKey | undefined
  at: number
}

/**
 * The highest id that is given. Most programs read JSON numbers as doubles, which are exact up to 2^53 - 1. Ids from
 * there on are left out of account: a shop may use one for a special purpose, such as the highest int64.
 */
export const maxNewCategoryId = 2n ** 53n - 2n

/** The id of a new category. `highest` is the highest id in use up to `maxNewCategoryId`. Undefined if none is free. */
export function nextCategoryId(highest: bigint | undefined): bigint | undefined {
  const id = highest === undefined || highest < 1n ? 1n : highest + 1n
  return id > maxNewCategoryId ? undefined : id
}

/** A new category gets an id above all that are in use, from 1 on. */
export function createCategory(facts: Facts, command: CreateCategory): Decision<CategoryCreation> {
  const earlier = replayOf(facts, command, (body) => ({ outcome: 'replayed' as const, category: decodeCategory(body) }))
  if (earlier !== undefined) return unchanged(earlier)

  const id = nextCategoryId(facts.highestCategoryId())
  if (id === undefined) return unchanged({ outcome: 'exhausted' })
  const category = { id, name: command.category.name }
  return changed({ outcome: 'created', category }, [
    { type: 'resource.put', table: 'categories', item: category },
    ...storeResponse(command, () => encodeCategory(category)),
  ])
}
