import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Page } from '../../../client/src/index.ts'
import { ChoiceLinks } from '../../components/choices.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Empty, Loading } from '../../components/loading.tsx'
import { NothingSoFar, pageBefore, Pager } from '../../components/pager.tsx'
import { followOwnCategoryChanges } from '../../state/categories.ts'
import { type CategoryStock, readCategoryStock } from '../../state/inventory.ts'
import { useLive } from '../../state/live.ts'
import { go, hrefOf, hrefWith, type Query, useScrollPosition } from '../../state/route.ts'
import { findTextOf } from '../../state/search-text.ts'
import { useMay } from '../../state/session.ts'
import { FindBox } from '../animals/find-animal.tsx'
import { CategoryList } from '../category-list.tsx'
import { CategoryStockTable } from './category-stock-table.tsx'

/** The order in the address; of a search there is only one. */
const choices = [
  { value: undefined, text: 'All' },
  { value: 'largest', text: 'Largest first' },
]

/** How many animals each category has: all of them, the largest first, or those with a name. */
export function CategoryStockView({ query }: { query: Query }): VNode {
  const { cursor = '' } = query
  const may = useMay()
  const find = findTextOf(query)
  const isLargestFirst = find === '' && query['sort'] === 'largest'
  const list = `categories ${encodeURIComponent(find)}${isLargestFirst ? ' largest' : ''}`
  const page = useLive<Page<CategoryStock>>(
    `${list} ${cursor}`,
    (signal) => {
      const which = find !== '' ? { name: find } : isLargestFirst ? {} : { sort: 'id' as const }
      return readCategoryStock({ ...which, ...(cursor !== '' && { cursor }) }, signal)
    },
    { concerns: () => true },
  )
  const { result, error, isLoading, isStale, reload } = page
  useScrollPosition(`${list} ${cursor}`, result !== undefined && !isStale)
  useEffect(() => followOwnCategoryChanges(() => void reload()), [])
  return (
    <div class="view">
      <div class="view-head">
        <h1 tabindex={-1}>Categories</h1>
      </div>
      <div class="filters">
        <ChoiceLinks
          label="Order"
          choices={choices}
          chosen={find !== '' ? '' : isLargestFirst ? 'largest' : undefined}
          hrefOf={(sort) => hrefOf('categories', { sort })}
        />
        <FindBox
          text={find}
          placeholder="Name of a category"
          page={page}
          open={(id) => go('animals', { category: String(id) })}
        />
      </div>
      <ErrorNotice error={error} retry={reload} />
      <div class="card table-card" aria-busy={isLoading || isStale ? 'true' : 'false'}>
        {result === undefined || (isStale && result.items.length === 0) ? (
          error === undefined && <Loading lines={8} label="Counting the animals" />
        ) : result.items.length === 0 ? (
          <NoCategories list={list} cursor={cursor} next={result.cursor} isSearch={find !== ''} />
        ) : (
          <CategoryStockTable categories={result.items} />
        )}
      </div>
      <Pager list={list} cursor={cursor} page={page} one="category" many="categories" />
      {isLargestFirst && <p class="note">Categories without animals are not among them.</p>}
      {may('listCategories') && <CategoryList mayChange={may('putCategory')} />}
    </div>
  )
}

interface NoCategoriesProps {
  list: string
  cursor: string
  /** Undefined if this page is the last one. */
  next: string | undefined
  isSearch: boolean
}

function NoCategories({ list, cursor, next, isSearch }: NoCategoriesProps): VNode {
  if (next !== undefined) return <NothingSoFar next={next} />
  if (cursor !== '') {
    return (
      <Empty title={isSearch ? 'No further category matches' : 'Nothing on this page any more'}>
        <a href={hrefWith({ cursor: pageBefore(list, cursor) })}>Go to the page before</a>
      </Empty>
    )
  }
  if (!isSearch)
    return <Empty title="No categories yet">Once there are animals, their categories will show here.</Empty>
  return (
    <Empty title="No category matches">
      <a href={hrefOf('categories')}>Show all categories</a>
    </Empty>
  )
}
