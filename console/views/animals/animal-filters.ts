import { isInt64, toInt64 } from '../../api/int64.ts'
import { CategoryBox } from '../../components/category-box.ts'
import { ChoiceLinks } from '../../components/choices.ts'
import { statusText } from '../../components/status.ts'
import { type Drawing, html, useEffect, useState, type VNode } from '../../preact.js'
import { categoryMeant, categoryText, useCategories, useCategoryNames } from '../../state/categories.ts'
import { firstPage } from '../../state/page-history.ts'
import { statusesOrNone } from '../../state/pets.ts'
import { goWith, hrefWith } from '../../state/route.ts'

const statusChoices = [
  { value: undefined, text: 'All' },
  ...statusesOrNone.map((value) => ({ value, text: statusText[value] })),
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

  function apply(): void {
    if (text.trim() === '') return show(undefined)
    const meant = categoryMeant(text)
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
  const tied = {
    id: 'category-filter',
    'aria-describedby': 'category-filter-note',
    'aria-invalid': fault === undefined ? undefined : 'true',
  }
  return html`<form class="filter" onSubmit=${onSubmit}>
    <label for="category-filter">Category</label>
    <${CategoryBox}
      tied=${tied}
      text=${text}
      placeholder="All"
      onText=${(next: string, id?: string) => {
        setText(next)
        setFault(undefined)
        if (id !== undefined) show(id)
      }}
      onLeave=${apply}
    />
    <p id="category-filter-note" class="note fault" role="status">${fault}</p>
  </form>`
}
