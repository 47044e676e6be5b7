import { categoryLabel, categoryMeant, categoryNames, useCategories } from '../categories.js'
import { statuses } from '../counts.js'
import { keepDraft, readDraft } from '../drafts.js'
import { CategoryOptions } from '../parts/category-options.js'
import { ChoiceButtons } from '../parts/choices.js'
import { Field } from '../parts/field.js'
import { statusWords } from '../parts/status.js'
import { Trouble } from '../parts/trouble.js'
import { html, useEffect, useRef, useState } from '../preact.js'
import { faultsByField } from '../problems.js'
import { signedInAs } from '../session.js'

const statusChoices = [...statuses, undefined].map((value) => ({ value, words: statusWords[value ?? 'none'] }))
const fields = ['name', 'categoryId', 'status']

/** The fields of an animal. Checked while typing, once a field was touched. `onSubmit` gets the animal, and may fail. */
export function AnimalForm({ draft, pet, isStatusFixed = false, submitWords, busyWords, onSubmit }) {
  // Typed values by field; what is not in here is as it is in `pet`, also when that changes.
  const [typed, setTyped] = useState(() => readDraft(draft) ?? {})
  const [told, setTold] = useState({ faults: {} })
  const [isBusy, setBusy] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const form = useRef()
  const names = useCategories()

  const name = typed.name ?? pet.name
  const category = typed.category ?? categoryText(pet.categoryId)
  const status = 'status' in typed ? (typed.status ?? undefined) : pet.status
  const categoryId = categoryMeant(category)

  const { rules } = signedInAs()
  const isShown = (field) => isChecked || typed[field] !== undefined
  const wrong = { name: rules.name(name), category: rules.categoryId(categoryId) }
  const faults = {
    name: told.faults.name ?? (isShown('name') ? wrong.name : undefined),
    category: told.faults.categoryId ?? (isShown('category') ? wrong.category : undefined),
  }

  function type(change) {
    const next = { ...typed, ...change }
    setTyped(next)
    setTold({ faults: {} })
    keepDraft(draft, next)
  }

  async function submitted(event) {
    event.preventDefault()
    if (isBusy) return
    setChecked(true)
    const first = wrong.name !== undefined ? 'pet-name' : wrong.category !== undefined ? 'pet-category' : undefined
    if (first !== undefined) return document.getElementById(first).focus()
    setBusy(true)
    setTold({ faults: {} })
    try {
      await onSubmit({ name, categoryId, ...(status !== undefined && { status }) })
    } catch (problem) {
      const byField = faultsByField(problem, fields)
      setTold(Object.keys(byField).length === 0 ? { faults: {}, problem } : { faults: byField })
    }
    setBusy(false)
  }

  // A name may have several lines; Enter sends the form all the same, as in any other field.
  function keyPressed(event) {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    form.current.requestSubmit()
  }

  useEffect(() => form.current.querySelector('textarea').focus(), [])

  return html`<form ref=${form} class="animal-form" onSubmit=${submitted} novalidate>
    <${Field}
      id="pet-name"
      label="Name"
      hint=""
      fault=${faults.name}
      control=${(tied) => html`<textarea
        ...${tied}
        rows="1"
        dir="auto"
        autocomplete="off"
        spellcheck=${false}
        value=${name}
        onInput=${({ target }) => type({ name: target.value })}
        onKeyDown=${keyPressed}
      />`}
    />
    <${Field}
      id="pet-category"
      label="Category"
      hint=${category === '' ? 'Its name or its number.' : hintFor(names, categoryId)}
      fault=${faults.category}
      control=${(tied) => html`<input
        ...${tied}
        list="pet-categories"
        dir="auto"
        autocomplete="off"
        value=${category}
        onInput=${({ target }) => type({ category: target.value })}
      />`}
    />
    <${CategoryOptions} id="pet-categories" />
    <${ChoiceButtons}
      name="pet-status"
      label="Status"
      choices=${statusChoices}
      chosen=${status}
      isDisabled=${isStatusFixed}
      hint=${isStatusFixed ? 'It has an open order: completing or cancelling that changes the status.' : ''}
      onChoose=${(value) => type({ status: value ?? null })}
    />
    ${told.faults.form && html`<p class="note fault" role="alert">${told.faults.form}</p>`}
    ${told.problem && html`<${Trouble} problem=${told.problem} />`}
    <div class="actions">
      <button class="button primary" aria-disabled=${isBusy ? 'true' : undefined}>${isBusy ? busyWords : submitWords}</button>
    </div>
  </form>`
}

/** A category as one would type it: by name where that leads back to it, else by number. */
function categoryText(id) {
  if (id === undefined) return ''
  const name = categoryNames().get(String(id))
  return name !== undefined && categoryMeant(name) === String(id) ? name : String(id)
}

function hintFor(names, id) {
  return names.has(id) ? `Number ${id}` : categoryLabel(names, id)
}
