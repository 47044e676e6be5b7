import { maxListedRefusals } from '../../src/contract/bulk.ts'
import type { ShopState } from './feed.ts'
import type { Animal, Ask, FeedEvent } from './history.ts'
import { hasOpenOrder, matching } from './pages.ts'

/** What a bulk change does in a state, to animals that it has found. */
export function changeMany(
  state: ShopState,
  { filter, change }: Extract<Ask, { kind: 'bulk' }>,
  found: ReadonlySet<number>,
) {
  const changes: Pick<FeedEvent, 'type' | 'data'>[] = []
  const refusals: number[] = []
  let unchanged = 0
  for (const animal of matching(state, filter).toSorted((a, b) => a.id - b.id)) {
    if (!found.has(animal.id)) continue
    const after: Animal | undefined = change === 'delete' ? undefined : { ...animal, ...change }
    if (after !== undefined && JSON.stringify(after) === JSON.stringify(animal)) unchanged++
    else if (after?.status !== animal.status && hasOpenOrder(state, animal.id)) refusals.push(animal.id)
    else if (after === undefined) changes.push({ type: 'petstore.pet.deleted', data: animal })
    else changes.push({ type: 'petstore.pet.updated', data: after })
  }
  return {
    changed: changes.length,
    unchanged,
    refused: refusals.length,
    refusals: refusals.slice(0, maxListedRefusals),
    changes,
  }
}
