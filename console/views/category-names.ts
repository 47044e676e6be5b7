import { isInt64 } from '../api/int64.ts'
import { ErrorNotice } from '../components/error-notice.ts'
import { Field, type Tied } from '../components/field.ts'
import { formatCount, shortName } from '../components/format.ts'
import { html, useRef, useState, type VNode } from '../preact.js'
import { useAction } from '../state/action.ts'
import { nameCategory, useCategories } from '../state/categories.ts'
import { notify } from '../state/notices.ts'
import { useSignedIn } from '../state/session.ts'

/** The names of categories, and a form to name one. */
export function CategoryNames({ mayName }: { mayName: boolean }): VNode {
  const { names, isComplete } = useCategories()
  const named = [...names].filter(([, name]) => name !== null)
  return html`<section class="card" aria-labelledby="category-names">
    <h2 id="category-names">Categories</h2>
    ${
      named.length === 0
        ? html`<p class="quiet">${isComplete ? 'No category has a name yet.' : 'The names could not be read.'}</p>`
        : html`<dl class="details category-list">
            ${named.map(([id, name]) => html`<div key=${id}><dt>${id}</dt><dd><bdi>${name}</bdi></dd></div>`)}
          </dl>`
    }
    ${!isComplete && named.length > 0 && html`<p class="note">The first ${formatCount(named.length)}; there are more.</p>`}
    ${mayName && html`<${NameCategory} />`}
  </section>`
}

type Typed = Record<'id' | 'name', string>
const nothing: Typed = { id: '', name: '' }

function NameCategory(): VNode {
  const { rules } = useSignedIn()
  const [typed, setTyped] = useState(nothing)
  const [faults, setFaults] = useState<Partial<Typed>>({})
  const latest = useRef(typed)
  latest.current = typed

  const naming = useAction(async (sent: Typed) => {
    const id = sent.id.trim()
    const wrong = {
      ...(!isInt64(id) && { id: 'Type the number of the category.' }),
      ...ifDefined('name', rules.categoryName(sent.name)),
    }
    setFaults(wrong)
    if (Object.keys(wrong).length > 0) return
    await nameCategory(id, sent.name)
    // The next one may already be typed.
    if (latest.current === sent) setTyped(nothing)
    notify(html`Category ${id} is called <bdi>${shortName(sent.name)}</bdi>`)
  })

  function onSubmit(event: Event): void {
    event.preventDefault()
    void naming.run(typed)
  }
  const input = (field: keyof Typed, extra: object) => (tied: Tied) =>
    html`<input
      ...${tied}
      ...${extra}
      autocomplete="off"
      value=${typed[field]}
      onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
        setTyped({ ...typed, [field]: currentTarget.value })}
    />`
  return html`<form class="name-category" onSubmit=${onSubmit} novalidate>
    <${Field} id="category-id" label="Number" fault=${faults.id} control=${input('id', { inputmode: 'numeric' })} />
    <${Field} id="category-name" label="Is called" fault=${faults.name} control=${input('name', { dir: 'auto' })} />
    <button class="button" aria-disabled=${naming.isRunning ? 'true' : undefined}>Name it</button>
    ${naming.error !== undefined && html`<${ErrorNotice} error=${naming.error} />`}
  </form>`
}

function ifDefined(field: keyof Typed, fault: string | undefined): Partial<Typed> {
  return fault === undefined ? {} : { [field]: fault }
}
