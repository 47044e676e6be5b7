import type { Categories } from '../../../inventory/categories.ts'
import { type ListCategories, withNameSearch } from '../reads/find-categories.ts'
import type { Engine } from './engine.ts'

export function categoriesPort({ find, list, atOneState, write, clock, searchBudget }: Engine): Categories {
  return {
    list: withNameSearch(
      listWith(list),
      (search, caller) => atOneState((state) => search(listWith(state.list)), caller),
      searchBudget,
    ),
    find: (id) => find('categories', id),
    put: (category, precondition) => write('putCategory', { category, precondition }),
    create: (category, idempotencyKey) => write('createCategory', { category, at: clock(), idempotencyKey }),
    remove: (id, precondition) => write('removeCategory', { id, precondition }),
  }
}

/** An id may be the lowest int64, so the first page has no id before it. */
function listWith(list: Engine['list']): ListCategories {
  return (limit, after) => list('categories', limit, after === undefined ? undefined : { after })
}
