import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { CategoryBox } from '../components/category-box.tsx'
import { Field } from '../components/field.tsx'
import { formatCount, shortName } from '../components/format.ts'
import { matchCategory, useCategories } from '../state/categories.ts'
import { notify } from '../state/notices.ts'
import { ChangeCategory } from './change-category.tsx'

/** The categories that have a name; each can be renamed or removed, and others found, named or created. */
export function CategoryList({ mayChange }: { mayChange: boolean }): VNode {
  const { names, isComplete } = useCategories()
  const [changing, setChanging] = useState<string>()
  const named = [...names].filter(([, name]) => name !== null) as [string, string][]
  return (
    <section class="card category-names" aria-labelledby="category-names">
      <h2 id="category-names">Change categories</h2>
      {mayChange && <FindCategory onFound={setChanging} />}
      {named.length === 0 ? (
        <p class="quiet">{isComplete ? 'No category has a name yet.' : 'The names could not be read.'}</p>
      ) : (
        <ul class="category-list">
          {named.map(([id, name]) => (
            <li key={id}>
              {mayChange ? (
                <button type="button" class="button plain" dir="auto" onClick={() => setChanging(id)}>
                  {shortName(name)}
                </button>
              ) : (
                <bdi>{shortName(name)}</bdi>
              )}
            </li>
          ))}
        </ul>
      )}
      {!isComplete && named.length > 0 && <p class="note">The first {formatCount(named.length)}; there are more.</p>}
      {changing !== undefined && <ChangeCategory id={changing} onClose={() => setChanging(undefined)} />}
    </section>
  )
}

function FindCategory({ onFound }: { onFound: (id: string) => void }): VNode {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()

  function onText(next: string, id?: string): void {
    setText(id === undefined ? next : '')
    setFault(undefined)
    if (id !== undefined) onFound(id)
  }
  function onCreated(_id: string, name: string): void {
    onText('')
    notify(
      <>
        Category <bdi>{shortName(name)}</bdi> was created
      </>,
    )
  }
  function onSubmit(event: Event): void {
    event.preventDefault()
    const meant = matchCategory(text)
    setFault(meant.fault)
    if (meant.id !== undefined) onText('', meant.id)
  }
  return (
    <form class="find-category" onSubmit={onSubmit} noValidate>
      <Field
        id="find-category"
        label="Find or create a category"
        hint="Choose one to rename or remove it."
        fault={fault}
        control={(tied) => <CategoryBox tied={tied} text={text} canCreate onText={onText} onCreated={onCreated} />}
      />
    </form>
  )
}
