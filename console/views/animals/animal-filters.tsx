import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isInt64, toInt64 } from '../../api/int64.ts'
import { CategoryBox } from '../../components/category-box.tsx'
import { ChoiceLinks } from '../../components/choices.tsx'
import type { Tied } from '../../components/field.tsx'
import { statusText } from '../../components/status.tsx'
import { matchCategory, categoryText, useCategories, useCategoryNames } from '../../state/categories.ts'
import { countByStatus, readInventory, type Stock } from '../../state/inventory.ts'
import { useLive } from '../../state/live.ts'
import { firstPage } from '../../state/page-stack.ts'
import { statusesOrNone } from '../../state/statuses.ts'
import { goWith, hrefWith } from '../../state/route.ts'
import { useMay } from '../../state/session.ts'

interface AnimalFiltersProps {
  status: string | undefined
  category: string | undefined
  /** What is looked for. Matches are not counted. */
  find: string
  children: ComponentChildren
}

export function AnimalFilters({ status, category, find, children }: AnimalFiltersProps): VNode {
  const counts = useStatusCounts(category, find)
  const statusChoices = [
    { value: undefined, text: 'All', count: counts?.total },
    ...statusesOrNone.map((value) => ({ value, text: statusText[value], count: counts?.[value] })),
  ]
  return (
    <div class="filters animal-filters">
      <ChoiceLinks
        label="Status"
        choices={statusChoices}
        chosen={status}
        hrefOf={(value) => hrefWith({ status: value, ...firstPage })}
      />
      <CategoryFilter category={category} />
      {children}
    </div>
  )
}

/** How many animals of the category have which status; undefined while it is not known. */
function useStatusCounts(category: string | undefined, find: string): Stock | undefined {
  const may = useMay()
  const categoryId = category !== undefined && isInt64(category) ? toInt64(category) : undefined
  const isCounted = find === ''
  const { result, isStale } = useLive<Stock | null>(
    `counts ${categoryId ?? ''} ${isCounted}`,
    async (signal) => {
      if (!isCounted) return null
      const isWhole = categoryId === undefined && may('getInventory')
      return isWhole ? readInventory(signal, 1) : countByStatus(signal, { categoryId })
    },
    { concerns: () => true },
  )
  return isStale ? undefined : (result ?? undefined)
}

function CategoryFilter({ category }: { category: string | undefined }): VNode {
  const known = useCategories()
  useCategoryNames(category !== undefined && isInt64(category) ? [toInt64(category)] : [])
  const shown = category === undefined ? '' : categoryText(category, known)
  const [text, setText] = useState(shown)
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    setText(shown)
    setFault(undefined)
  }, [shown])

  function apply(): void {
    if (text.trim() === '') return show(undefined)
    const meant = matchCategory(text)
    setFault(meant.fault)
    if (meant.id !== undefined) show(meant.id)
  }
  function show(id: string | undefined): void {
    if (id !== category) goWith({ category: id, ...firstPage })
  }
  function onSubmit(event: Event): void {
    event.preventDefault()
    apply()
  }
  const tied: Tied = {
    id: 'category-filter',
    'aria-describedby': 'category-filter-note',
    'aria-invalid': fault === undefined ? undefined : 'true',
  }
  return (
    <form class="filter" onSubmit={onSubmit}>
      <label for="category-filter">Category</label>
      <CategoryBox
        tied={tied}
        text={text}
        placeholder="All categories"
        onText={(next, id) => {
          setText(next)
          setFault(undefined)
          if (id !== undefined) show(id)
        }}
        onLeave={apply}
      />
      <p id="category-filter-note" class="note fault" role="status">
        {fault}
      </p>
    </form>
  )
}
