import { CategoryBox } from '../components/category-box.ts'
import { Field, type Tied } from '../components/field.ts'
import { formatCount, shortName } from '../components/format.ts'
import { html, useState, type VNode } from '../preact.js'
import { categoryMeant, useCategories } from '../state/categories.ts'
import { ChangeCategory } from './change-category.ts'

/** The categories that have a name; each can be renamed or removed, and others found, named or created. */
export function CategoryList({ mayChange }: { mayChange: boolean }): VNode {
  const { names, isComplete } = useCategories()
  const [changing, setChanging] = useState<string>()
  const named = [...names].filter(([, name]) => name !== null) as [string, string][]
  return html`<section class="card" aria-labelledby="category-names">
    <h2 id="category-names">Categories</h2>
    ${mayChange && html`<${FindCategory} onFound=${setChanging} />`}
    ${
      named.length === 0
        ? html`<p class="quiet">${isComplete ? 'No category has a name yet.' : 'The names could not be read.'}</p>`
        : html`<ul class="category-list">
            ${named.map(
              ([id, name]) => html`<li key=${id}>
                ${
                  mayChange
                    ? html`<button type="button" class="button plain" dir="auto" onClick=${() => setChanging(id)}>
                        ${shortName(name)}
                      </button>`
                    : html`<bdi>${shortName(name)}</bdi>`
                }
              </li>`,
            )}
          </ul>`
    }
    ${!isComplete && named.length > 0 && html`<p class="note">The first ${formatCount(named.length)}; there are more.</p>`}
    ${changing !== undefined && html`<${ChangeCategory} id=${changing} onClose=${() => setChanging(undefined)} />`}
  </section>`
}

function FindCategory({ onFound }: { onFound: (id: string) => void }): VNode {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()

  function onText(next: string, id?: string): void {
    setText(id === undefined ? next : '')
    setFault(undefined)
    if (id !== undefined) onFound(id)
  }
  function onSubmit(event: Event): void {
    event.preventDefault()
    const meant = categoryMeant(text)
    setFault(meant.fault)
    if (meant.id !== undefined) onText('', meant.id)
  }
  return html`<form class="find-category" onSubmit=${onSubmit} noValidate>
    <${Field}
      id="find-category"
      label="Find or create a category"
      hint="Choose one to rename or remove it."
      fault=${fault}
      control=${(tied: Tied) => html`<${CategoryBox} tied=${tied} text=${text} canCreate onText=${onText} />`}
    />
  </form>`
}
