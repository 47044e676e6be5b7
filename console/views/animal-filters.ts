import { isInt64, toInt64 } from '../api/int64.ts'
import { CategoryOptions } from '../components/category-options.ts'
import { ChoiceLinks } from '../components/choices.ts'
import { statusText } from '../components/status.ts'
import { type Drawing, html, useEffect, useState, type VNode } from '../preact.js'
import { categoryMeant, categoryText, useCategories, useCategoryNames } from '../state/categories.ts'
import { firstPage } from '../state/page-history.ts'
import { petStatuses } from '../state/pets.ts'
import { goWith, hrefWith } from '../state/route.ts'

type InputEvent = { currentTarget: HTMLInputElement }

const statusChoices = [
  { value: undefined, text: 'All' },
  ...petStatuses.map((value) => ({ value, text: statusText[value] })),
]

interface AnimalFiltersProps {
  status: string | undefined
  category: string | undefined
  children: Drawing
}

export function AnimalFilters({ status, category, children }: AnimalFiltersProps): VNode {
  return html`<div class="filters">
    <${ChoiceLinks}
      label="Status"
      choices=${statusChoices}
      chosen=${status}
      hrefOf=${(value: string | undefined) => hrefWith({ status: value, ...firstPage })}
    />
    <${CategoryFilter} category=${category} />
    ${children}
  </div>`
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

  function apply(event: Event): void {
    event.preventDefault()
    if (text.trim() === '') return goWith({ category: undefined, ...firstPage })
    const meant = categoryMeant(text)
    setFault(meant.fault)
    if (meant.id !== undefined && meant.id !== category) goWith({ category: meant.id, ...firstPage })
  }
  return html`<form class="filter" onSubmit=${apply}>
    <label for="category-filter">Category</label>
    <input
      id="category-filter"
      list="categories"
      autocomplete="off"
      placeholder="All"
      dir="auto"
      value=${text}
      aria-describedby="category-filter-note"
      aria-invalid=${fault === undefined ? undefined : 'true'}
      onInput=${({ currentTarget }: InputEvent) => setText(currentTarget.value)}
      onChange=${apply}
    />
    <${CategoryOptions} id="categories" />
    <p id="category-filter-note" class="note fault" role="status">${fault}</p>
  </form>`
}
