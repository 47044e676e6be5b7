import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Pet } from '../../../client/src/index.ts'
import { isId } from '../../api/int64.ts'
import { service } from '../../api/service.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Empty, Loading } from '../../components/loading.tsx'
import { NothingSoFar, pageBefore, Pager } from '../../components/pager.tsx'
import { type AnimalFilter, animalFilterOf, exportScopeOf, isFiltered, petFilterOf } from '../../state/animal-filter.ts'
import { categoryText, loadCategories } from '../../state/categories.ts'
import { useChoice } from '../../state/choice.ts'
import { type FoundPage, readFound } from '../../state/find.ts'
import { useLive } from '../../state/live.ts'
import { firstPage } from '../../state/page-stack.ts'
import { patchPets, readPets } from '../../state/pets.ts'
import { hrefOf, hrefWith, openAnimal, type Query, replaceWith, useScrollPosition } from '../../state/route.ts'
import { type May, useMay } from '../../state/session.ts'
import { begin, useTask } from '../../state/task.ts'
import { AddAnimalLink } from './add-animal-link.tsx'
import { AnimalFilters } from './animal-filters.tsx'
import { SortRefused, SortSelect, sortOf } from './animal-sort.tsx'
import { AnimalTable } from './animal-table.tsx'
import { BulkBar } from './bulk-bar.tsx'
import type { Matching } from './bulk-matching.tsx'
import { ExportDialog } from '../transfer/export-dialog.tsx'
import { FindBox, FoundCategories } from './find-animal.tsx'
import { ImportAnimals } from '../transfer/import-animals.tsx'
import { PlaceOrder } from '../orders/place-order.tsx'

/** The animals, a page at a time. */
export function Animals({ query }: { query: Query }): VNode {
  const may = useMay()
  const { cursor = '' } = query
  const sort = sortOf(query)
  const animalFilter = animalFilterOf(query)
  const { status, category, find } = animalFilter
  const filter = `pets ${status ?? ''} ${category ?? ''} ${encodeURIComponent(find)}`
  const isFromEnd = query['from'] === 'end'
  const list = `${filter} ${sort}${isFromEnd ? ' from the end' : ''}`
  const page = useLive<FoundPage>(
    `${list} ${cursor}`,
    (signal) => {
      const asked = { ...petFilterOf(animalFilter), sort, ...(cursor !== '' && { cursor }) }
      const readPage = () => readPets(asked, isFromEnd, signal)
      return find === '' || cursor !== '' || isFromEnd ? readPage() : readFound(find, readPage, signal)
    },
    { concerns: () => true, patch: patchPets },
  )
  const { result, error, isLoading, isStale, reload } = page
  useScrollPosition(`${list} ${cursor}`, result !== undefined && !isStale)
  const [ordering, setOrdering] = useState<Pet>()
  const [isExporting, setExporting] = useState(false)
  const [isImporting, setImporting] = useState(false)
  useTask('animals', 'import', () => setImporting(true))
  useTask('animals', 'export', () => setExporting(true))
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
          <NoAnimals query={query} filter={animalFilter} list={list} page={result} may={may} />
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
          matching={may('bulkChangePets') ? matchingOf(animalFilter, result, cursor) : undefined}
          onSettled={reload}
        />
      )}
      <Pager list={list} cursor={cursor} isFromEnd={isFromEnd} page={page} one="animal" many="animals" />
      {isExporting && (
        <ExportDialog
          what="animals"
          scope={exportScopeOf(animalFilter)}
          read={(format, options) => service().pets.export({ ...petFilterOf(animalFilter), ...format }, options)}
          filterWords={filterWords(animalFilter)}
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

/** All animals that match, if they are more than a page, and the service can be asked for them at once. */
function matchingOf(asked: AnimalFilter, page: FoundPage | undefined, cursor: string): Matching | undefined {
  const { without, ...filter } = petFilterOf(asked)
  // By a number, a search finds one animal more than by name.
  const isAskable = without === undefined && !isId(asked.find) && isFiltered(asked)
  const isMore = page?.cursor !== undefined || cursor !== ''
  return isAskable && isMore ? { filter, count: page?.total } : undefined
}

/** The filters as a user would say them. */
function filterWords({ status, category, find }: AnimalFilter): string[] {
  const categoryWord = category === undefined ? undefined : categoryText(category)
  return [status, categoryWord, find].filter((word) => word !== undefined && word !== '') as string[]
}

interface NoAnimalsProps {
  query: Query
  filter: AnimalFilter
  list: string
  /** Without animals. */
  page: FoundPage
  may: May
}

function NoAnimals({ query, filter, list, page: { cursor: next, categories = [] }, may }: NoAnimalsProps): VNode {
  const { cursor, from } = query
  if (next !== undefined) return <NothingSoFar next={next} />
  if (cursor !== undefined) {
    return (
      <Empty title={filter.find === '' ? 'Nothing on this page any more' : 'No further animal matches'}>
        {from === undefined ? (
          <a href={hrefWith({ cursor: pageBefore(list, cursor) })}>Go to the page before</a>
        ) : (
          <a href={hrefWith(firstPage)}>Go to the first page</a>
        )}
      </Empty>
    )
  }
  if (isFiltered(filter)) {
    return (
      <Empty title={categories.length === 0 ? 'No animal matches' : 'No animal has this name, but a category does'}>
        <a href={hrefOf('animals')}>Show all animals</a>
      </Empty>
    )
  }
  return (
    <Empty title="No animals yet">
      {may('createPet') ? 'The shop is empty: add the first one.' : 'The shop is empty.'}{' '}
      {may('importPets') && (
        <button type="button" class="button small" onClick={() => begin('animals', 'import')}>
          Add many from a file
        </button>
      )}
    </Empty>
  )
}
