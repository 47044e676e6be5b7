import { isByName, type Pet } from '../../../contract/pet.ts'
import type { Caller } from '../../../inventory/caller.ts'
import { loopSteps } from '../../../inventory/loop-steps.ts'
import type { PetFilter, PetPage, PetQuery, Pets } from '../../../inventory/pets.ts'
import { ifMatching } from './filters.ts'
import { collectFirst, type SortKey, sortKeyOf } from './name-order.ts'

/** The pets with these ids that exist and can be read, in any order, of one state. */
type FindAll = (ids: readonly bigint[], caller?: Caller) => Promise<readonly Pet[]>
type Reads = Pick<Pets, 'list' | 'count'>
type WithIds<Filter> = Filter & { ids: readonly bigint[] }

/** What a list by id is sorted by, in the same way as a list by name. */
const noKey = Buffer.alloc(0)

/** Adds the filter `ids` to reads of pets: the chosen ones are few, so they are compared and sorted in memory. */
export function withChosen({ list, count }: Reads, findAll: FindAll): Reads {
  /** In steps of the event loop: names may have costly words. */
  async function forEachMatch(
    { ids, id, ...filter }: WithIds<PetFilter>,
    use: (pet: Pet) => void,
    caller?: Caller,
  ): Promise<void> {
    const chosen = new Set(id === undefined ? ids : ids.filter((each) => each === id))
    // Refuses a text without a word in any case.
    ifMatching(filter, undefined)
    const steps = loopSteps()
    for (const pet of await findAll([...chosen], caller)) {
      if (ifMatching(filter, pet) !== undefined) use(pet)
      if (steps.isOver()) await steps.next()
    }
  }

  async function page(query: WithIds<PetQuery>, limit: number, after: bigint, caller?: Caller): Promise<PetPage> {
    const { sort = 'id', afterKey = '' } = query
    const range = {
      sort: sort.startsWith('-') ? '-name' : 'name',
      ...(after !== 0n && { after: { key: afterKey, id: after } }),
    } as const
    const first = collectFirst<SortKey & { pet: Pet }>(range, limit + 1)
    let total = 0n
    const add = (pet: Pet) => {
      total++
      const key = isByName(sort) ? sortKeyOf(pet.id, pet.name) : { id: pet.id, key: noKey }
      first.add({ ...key, pet })
    }
    await forEachMatch(query, add, caller)
    return {
      items: first.items.slice(0, limit).map(({ pet }) => pet),
      more: first.items.length > limit,
      ...(query.withTotal && { total }),
    }
  }

  return {
    list: (query, limit, after, caller) =>
      hasIds(query) ? page(query, limit, after, caller) : list(query, limit, after, caller),

    async count(filter) {
      if (!hasIds(filter)) return count(filter)
      let matches = 0n
      await forEachMatch(filter, () => matches++)
      return matches
    },
  }
}

function hasIds<Filter extends PetFilter>(filter: Filter): filter is WithIds<Filter> {
  return filter.ids !== undefined
}
