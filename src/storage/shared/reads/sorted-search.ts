import type { Caller } from '../../../inventory/caller.ts'
import { loopSteps } from '../../../inventory/loop-steps.ts'
import { searchWords } from '../../../inventory/name-words.ts'
import type { PartialSearch, PetPage, PetQuery } from '../../../inventory/pets.ts'
import { asPet, type PetRow, toPet } from '../rows/pet-row.ts'
import { decodeReadable } from '../rows/unreadable-row.ts'
import { ifMatching } from './filters.ts'
import type { Found, Search, SearchBudget } from './find-by-name.ts'
import { memberFilterOf } from './filters.ts'
import { collectFirst, type SortKey, sortKeyOf } from './name-order.ts'
import { type MayRead, readWithin, type Sized } from './sized-read.ts'

/**
 * What a page may cost. Pets are counted, so that pages of both engines end at the same place. The time is for names
 * that take long to compare.
 */
const maxCost = { pets: 50_000, ms: 500 }

/** What the rest of a page may cost. */
export type CostLeft = typeof maxCost

/** Compares the next pets of a search in the order of names, whose number and time it counts as `cost`. */
export type FindPart = (search: SearchInOrder, left: CostLeft) => Promise<Found>
export type SearchInOrder = Search & Required<Pick<Search, 'inOrder'>>

/** What a page reads, all of it from one state. */
export interface SearchedState {
  find: FindPart
  /** Those of the pets that still exist. */
  findAll(ids: readonly bigint[]): Promise<PetRow[]>
  /** If what it finds has only so much of large names as is compared: the whole names. */
  complete?(rows: readonly PetRow[], mayRead: MayRead): Promise<Sized<PetRow[]>>
}

export interface SortedSearchParts {
  atOneState(
    read: (state: SearchedState) => Promise<Sized<PetPage>>,
    caller: Caller | undefined,
    isNext: boolean,
  ): Promise<Sized<PetPage>>
  budget: SearchBudget
}

type Match = SortKey & { row: PetRow }

/**
 * Searches in the order of names. No index has that order, so all pets are compared before the page is known. If that
 * costs too much for one page, the page is empty, and the next one goes on with the first matches so far.
 */
export function sortedSearch({ atOneState, budget }: SortedSearchParts) {
  type Query = PetQuery & { name: string }

  async function search(
    query: Query,
    limit: number,
    after: bigint,
    { find, findAll, complete }: SearchedState,
    mayRead: MayRead,
  ): Promise<Sized<PetPage>> {
    const searched = {
      words: searchWords(query.name),
      filter: memberFilterOf(query),
      sort: 'id',
      limit: limit + 1,
    } as const
    const begun = query.partial ?? firstPart(query, after)
    const first = collectFirst<Match>(
      {
        sort: query.sort === '-name' ? '-name' : 'name',
        ...(begun.after && { after: begun.after }),
        ...(begun.completeUpTo && { upTo: begun.completeUpTo }),
      },
      limit + 1,
    )

    async function addAll(rows: readonly PetRow[], isMatch = (_row: PetRow) => true): Promise<void> {
      const steps = loopSteps()
      for (const row of rows) {
        if (isMatch(row)) first.add({ ...sortKeyOf(row[0], row[1]), row })
        if (steps.isOver()) await steps.next()
      }
    }

    const earlier = begun.ids.length === 0 ? [] : await findAll(begun.ids)
    await addAll(earlier, (row) => ifMatching(query, asPet(row)) !== undefined)
    const left = { pets: Math.min(budget.pets, maxCost.pets), ms: maxCost.ms }
    let next: bigint | undefined = begun.comparedUpTo
    do {
      const found = await find({ ...searched, after: next, inOrder: first.range() }, left)
      await addAll(found.rows)
      next = found.next
      left.pets -= found.cost?.pets ?? 0
      left.ms -= found.cost?.ms ?? 0
    } while (next !== undefined && left.pets > 0 && left.ms > 0)

    const { upTo } = first.range()
    const continuedBy = (partial: PartialSearch) => ({ page: { items: [], more: true, partial } })
    if (next !== undefined) {
      const ids = first.items.map(({ id }) => id)
      return continuedBy({
        ...(begun.after && { after: begun.after }),
        comparedUpTo: next,
        ids,
        ...(upTo && { completeUpTo: upTo }),
      })
    }
    const rows = first.items.slice(0, limit).map(({ row }) => row)
    const whole = complete === undefined ? { page: rows } : await complete(rows, mayRead)
    if ('bytes' in whole) return whole
    const items = decodeReadable(whole.page, toPet)
    // All of the first matches were removed or renamed meanwhile, or cannot be read.
    if (items.length === 0 && upTo !== undefined) return continuedBy({ after: upTo, comparedUpTo: 0n, ids: [] })
    return { page: { items, more: upTo !== undefined } }
  }

  return (query: Query, limit: number, after: bigint, caller?: Caller): Promise<PetPage> =>
    readWithin(caller, (mayRead, isNext) =>
      atOneState((state) => search(query, limit, after, state, mayRead), caller, isNext),
    )
}

function firstPart({ afterKey }: PetQuery, after: bigint): PartialSearch {
  return { ...(afterKey !== undefined && { after: { key: afterKey, id: after } }), comparedUpTo: 0n, ids: [] }
}
