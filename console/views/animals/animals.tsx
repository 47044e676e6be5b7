import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { BulkFilter, Pet } from '../../../client/src/index.ts'
import { isId, isInt64, toInt64 } from '../../api/int64.ts'
import { service } from '../../api/service.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Empty, Loading } from '../../components/loading.tsx'
import { NothingSoFar, pageBefore, Pager } from '../../components/pager.tsx'
import { categoryText, loadCategories } from '../../state/categories.ts'
import { useChoice } from '../../state/choice.ts'
import { type FoundPage, readFound } from '../../state/find.ts'
import { useLive } from '../../state/live.ts'
import { firstPage } from '../../state/page-stack.ts'
import { patchPets, readPets } from '../../state/pets.ts'
import { hrefOf, hrefWith, openAnimal, type Query, replaceWith } from '../../state/route.ts'
import { useScrollPlace } from '../../state/scroll.ts'
import { type May, useMay } from '../../state/session.ts'
import { petStatuses } from '../../state/statuses.ts'
import { AddAnimalLink } from './add-animal-link.tsx'
import { AnimalFilters } from './animal-filters.tsx'
import { SortRefused, SortSelect, sortOf } from './animal-sort.tsx'
import { AnimalTable } from './animal-table.tsx'
import { BulkBar } from './bulk-bar.tsx'
import type { Matching } from './bulk-matching.tsx'
import { ExportDialog } from '../transfer/export-dialog.tsx'
import { canBeFound, FindBox, FoundCategories } from './find-animal.tsx'
import { ImportAnimals } from '../transfer/import-animals.tsx'
import { PlaceOrder } from '../orders/place-order.tsx'

/** The animals, a page at a time. */
export function Animals({ query }: { query: Query }): VNode {
  const may = useMay()
  const { status, category, cursor = '' } = query
  const sort = sortOf(query)
  const find = query['find'] !== undefined && canBeFound(query['find']) ? query['find'] : ''
  const filter = `pets ${status ?? ''} ${category ?? ''} ${encodeURIComponent(find)}`
  const isFromEnd = query['from'] === 'end'
  const list = `${filter} ${sort}${isFromEnd ? ' from the end' : ''}`
  const page = useLive<FoundPage>(
    `${list} ${cursor}`,
    (signal) => {
      const asked = { ...filterOf(query), sort, ...(find !== '' && { name: find }), ...(cursor !== '' && { cursor }) }
      const readPage = () => readPets(asked, isFromEnd, signal)
      return find === '' || cursor !== '' || isFromEnd ? readPage() : readFound(find, readPage, signal)
    },
    { concerns: () => true, patch: patchPets },
  )
  const { result, error, isLoading, isStale, reload } = page
  useScrollPlace(`${list} ${cursor}`, result !== undefined && !isStale)
  const [ordering, setOrdering] = useState<Pet>()
  const [isExporting, setExporting] = useState(false)
  const [isImporting, setImporting] = useState(false)
  const choice = useChoice(filter, isStale ? [] : (result?.items ?? []))
  const mayChoose = may('updatePet') || may('deletePet')
  const [refusedFilter, setRefusedFilter] = useState<string>()
  const isSortRefused = !isStale && result?.isSortRefused === true
  useEffect(() => {
    if (!isSortRefused) return
    setRefusedFilter(filter)
    replaceWith({ sort: undefined, ...firstPage })
  }, [isSortRefused])
  return (
    <div class="view">
      <div class="view-head">
        <h1 tabindex={-1}>Animals</h1>
        <div class="view-actions">
          {may('importPets') && (
            <button type="button" class="button" onClick={() => setImporting(true)}>
              Import
            </button>
          )}
          {may('exportPets') && (
            <button type="button" class="button" onClick={() => setExporting(true)}>
              Export
            </button>
          )}
          <AddAnimalLink />
        </div>
      </div>
      <AnimalFilters status={status} category={category} find={find}>
        <FindBox text={find} placeholder="Name, number, category" page={page} open={openAnimal} />
        <SortSelect sort={sort} />
      </AnimalFilters>
      {!isStale && <FoundCategories categories={result?.categories ?? []} />}
      {refusedFilter === filter && !sort.endsWith('name') && <SortRefused />}
      <ErrorNotice error={error} retry={reload} />
      <div class="card table-card" aria-busy={isLoading || isStale ? 'true' : 'false'}>
        {result === undefined || (isStale && result.items.length === 0) ? (
          error === undefined && <Loading lines={8} label="Loading the animals" />
        ) : result.items.length === 0 ? (
          <NoAnimals query={query} list={list} page={result} may={may} />
        ) : (
          <AnimalTable
            pets={result.items}
            sort={sort}
            order={may('placeOrder') ? setOrdering : undefined}
            choice={mayChoose ? choice : undefined}
          />
        )}
      </div>
      {mayChoose && (
        <BulkBar
          choice={choice}
          shown={result?.items ?? []}
          matching={may('bulkChangePets') ? matchingOf(query, find, result) : undefined}
          onSettled={reload}
        />
      )}
      <Pager list={list} cursor={cursor} isFromEnd={isFromEnd} page={page} one="animal" many="animals" />
      {isExporting && (
        <ExportDialog
          what="animals"
          scope={isFiltered(query) ? 'All animals that match the filters, on all pages.' : 'All animals of the shop.'}
          read={(format, options) =>
            service().pets.export({ ...filterOf(query), ...(find !== '' && { name: find }), ...format }, options)
          }
          filterWords={filterWords(query, find)}
          onClose={() => setExporting(false)}
        />
      )}
      {isImporting && (
        <ImportAnimals
          onClose={() => {
            setImporting(false)
            // It may have made some.
            void loadCategories()
            void reload()
          }}
        />
      )}
      {ordering !== undefined && (
        <PlaceOrder
          pet={ordering}
          onClose={() => setOrdering(undefined)}
          onSettled={reload}
          link={{ href: hrefOf('orders', { status: 'placed' }), text: 'Show orders' }}
        />
      )}
    </div>
  )
}

function isFiltered({ status, category, find }: Query): boolean {
  return status !== undefined || category !== undefined || find !== undefined
}

/** The filter in the address, as far as it is valid. */
function filterOf({ status, category }: Query): Pick<BulkFilter, 'status' | 'categoryId'> & { without?: 'status' } {
  const known = petStatuses.find((one) => one === status)
  return {
    ...(known !== undefined && { status: known }),
    ...(status === 'none' && { without: 'status' as const }),
    ...(category !== undefined && isInt64(category) && { categoryId: toInt64(category) }),
  }
}

/** All animals that match, if they are more than a page, and the service can be asked for them at once. */
function matchingOf(query: Query, find: string, page: FoundPage | undefined): Matching | undefined {
  const { without, ...filter } = filterOf(query)
  // By a number, a search finds one animal more than by name.
  const isAskable = without === undefined && !isId(find) && (find !== '' || Object.keys(filter).length > 0)
  const isMore = page?.cursor !== undefined || query['cursor'] !== undefined
  return isAskable && isMore
    ? { filter: { ...filter, ...(find !== '' && { name: find }) }, count: page?.total }
    : undefined
}

/** The filters as a user would say them. */
function filterWords({ status, category }: Query, find: string): string[] {
  const categoryWord = category === undefined ? undefined : categoryText(category)
  return [status, categoryWord, find].filter((word) => word !== undefined && word !== '') as string[]
}

interface NoAnimalsProps {
  query: Query
  list: string
  /** Without animals. */
  page: FoundPage
  may: May
}

function NoAnimals({ query, list, page: { cursor: next, categories = [] }, may }: NoAnimalsProps): VNode {
  const { cursor, from, find } = query
  if (next !== undefined) return <NothingSoFar next={next} />
  if (cursor !== undefined) {
    return (
      <Empty title={find === undefined ? 'Nothing on this page any more' : 'No further animal matches'}>
        {from === undefined ? (
          <a href={hrefWith({ cursor: pageBefore(list, cursor) })}>Go to the page before</a>
        ) : (
          <a href={hrefWith(firstPage)}>Go to the first page</a>
        )}
      </Empty>
    )
  }
  if (isFiltered(query)) {
    return (
      <Empty title={categories.length === 0 ? 'No animal matches' : 'No animal has this name, but a category does'}>
        <a href={hrefOf('animals')}>Show all animals</a>
      </Empty>
    )
  }
  return (
    <Empty title="No animals yet">
      {may('createPet') ? 'The shop is empty: add the first one.' : 'The shop is empty.'}
    </Empty>
  )
}
