import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isInt64, toInt64 } from '../../api/int64.ts'
import { CategoryBox } from '../../components/category-box.tsx'
import { ChoiceLinks } from '../../components/choices.tsx'
import type { Tied } from '../../components/field.tsx'
import { statusText } from '../../components/status.tsx'
import { matchCategory, categoryText, useCategories, useCategoryNames } from '../../state/categories.ts'
import { firstPage } from '../../state/page-stack.ts'
import { statusesOrNone } from '../../state/statuses.ts'
import { goWith, hrefWith } from '../../state/route.ts'

const statusChoices = [
  { value: undefined, text: 'All' },
  ...statusesOrNone.map((value) => ({ value, text: statusText[value] })),
]

interface AnimalFiltersProps {
  status: string | undefined
  category: string | undefined
  children: ComponentChildren
}

export function AnimalFilters({ status, category, children }: AnimalFiltersProps): VNode {
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
