import type { Category } from '../../../contract/category.ts'
import type { Caller } from '../../../inventory/caller.ts'
import type { Categories } from '../../../inventory/categories.ts'
import { loopSteps } from '../../../inventory/loop-steps.ts'
import { hasWords, searchWords } from '../../../inventory/name-words.ts'
import { endOf, type Page } from '../../../inventory/page.ts'
import { defaultBudget, type SearchBudget } from './find-by-name.ts'
import { openFairQueue } from '../../../inventory/fair-queue.ts'

/** Categories per read: from few, which may be large, to as many as one step of the event loop can compare. */
const categoriesPerRead = { first: 128, most: 1_024 }
/** A read that is faster, with its comparison, is followed by a larger one. */
const shortReadMs = 2

export type ListCategories = (limit: number, after?: bigint) => Promise<Page<Category>>

/** Lets a search read all its parts from one state. */
export type SearchCategories = (
  search: (list: ListCategories) => Promise<Page<Category>>,
  caller: Caller | undefined,
) => Promise<Page<Category>>

/** Adds the search by name to a list of categories, by reading the list within a budget: their names have no index. */
export function withNameSearch(
  list: ListCategories,
  atOneState: SearchCategories,
  budget: SearchBudget = defaultBudget,
): Categories['list'] {
  // One read at a time, so that many searches do not add up to a long step of the event loop.
  const queue = openFairQueue(1)

  async function readStep(read: ListCategories, words: readonly string[], size: number, after: bigint | undefined) {
    let startedAt = performance.now()
    let ms = 0
    async function pause(): Promise<void> {
      ms += performance.now() - startedAt
      await steps.next()
      startedAt = performance.now()
    }

    const steps = loopSteps()
    const page = await read(size, after)
    const found: Category[] = []
    for (const category of page.items) {
      if (hasWords(category.name, words)) found.push(category)
      if (steps.isOver()) await pause()
    }
    await pause()
    return { found, next: endOf(page), ms }
  }

  async function search(read: ListCategories, words: readonly string[], { limit, after, caller }: PageStart) {
    const found: Category[] = []
    let { ms, pets: left } = budget
    let size = categoriesPerRead.first
    for (let from = after; ; ) {
      const count = Math.min(size, left)
      const step = await queue.run(caller, () => readStep(read, words, count, from))
      found.push(...step.found)
      if (found.length > limit) return { items: found.slice(0, limit), more: true }
      if (step.next === undefined) return { items: found, more: false }
      ms -= step.ms
      left -= count
      if (ms <= 0 || left <= 0) return { items: found, more: true, next: step.next }
      from = step.next
      if (step.ms < shortReadMs) size = Math.min(2 * size, categoriesPerRead.most)
    }
  }

  return async (limit, after, name, caller) => {
    if (name === undefined) return list(limit, after)
    const words = searchWords(name)
    return atOneState((read) => search(read, words, { limit, after, caller }), caller)
  }
}

interface PageStart {
  limit: number
  after: bigint | undefined
  caller: Caller | undefined
}
