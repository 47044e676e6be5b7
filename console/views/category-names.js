import { announce } from '../announce.js'
import { nameCategory, useCategories } from '../categories.js'
import { shortName } from '../format.js'
import { Field } from '../parts/field.js'
import { Trouble } from '../parts/trouble.js'
import { html, useState } from '../preact.js'
import { isInt64 } from '../rules.js'
import { signedInAs } from '../session.js'

/** What the categories are called, and a way to name one. */
export function CategoryNames({ mayName }) {
  const names = useCategories()
  return html`<section class="card" aria-labelledby="category-names">
    <h2 id="category-names">Categories</h2>
    ${
      names.size === 0
        ? html`<p class="quiet">No category has a name yet.</p>`
        : html`<dl class="details category-list">
            ${[...names].map(([id, name]) => html`<div key=${id}><dt>${id}</dt><dd><bdi>${name}</bdi></dd></div>`)}
          </dl>`
    }
    ${mayName && html`<${NameCategory} />`}
  </section>`
}

function NameCategory() {
  const [typed, setTyped] = useState({ id: '', name: '' })
  const [state, setState] = useState({ faults: {} })

  async function submitted(event) {
    event.preventDefault()
    const id = typed.id.trim()
    const faults = {
      id: isInt64(id) ? undefined : 'Type the number of the category.',
      name: signedInAs().rules.categoryName(typed.name),
    }
    setState({ faults })
    if (faults.id !== undefined || faults.name !== undefined) return
    try {
      await nameCategory(id, typed.name)
      setTyped({ id: '', name: '' })
      announce(`Category ${id} is called ${shortName(typed.name)}`)
    } catch (problem) {
      setState({ faults: {}, problem })
    }
  }
  const input = (field, extra) => (tied) =>
    html`<input
    ...${tied}
    ...${extra}
    autocomplete="off"
    value=${typed[field]}
    onInput=${({ target }) => setTyped({ ...typed, [field]: target.value })}
  />`
  return html`<form class="name-category" onSubmit=${submitted} novalidate>
    <${Field}
      id="category-id"
      label="Number"
      fault=${state.faults.id}
      control=${input('id', { inputmode: 'numeric' })}
    />
    <${Field} id="category-name" label="Is called" fault=${state.faults.name} control=${input('name', { dir: 'auto' })} />
    <button class="button">Name it</button>
    ${state.problem && html`<${Trouble} problem=${state.problem} />`}
  </form>`
}
