import { announce } from '../announce.js'
import { categoryLabel, categoryMeant, useCategories } from '../categories.js'
import { statuses } from '../counts.js'
import { shortName } from '../format.js'
import { placeOrder } from '../orders.js'
import { CategoryOptions } from '../parts/category-options.js'
import { ChoiceLinks } from '../parts/choices.js'
import { Icon } from '../parts/icons.js'
import { Empty, Loading } from '../parts/loading.js'
import { Pager } from '../parts/pager.js'
import { Status, statusWords } from '../parts/status.js'
import { Trouble } from '../parts/trouble.js'
import { pageOf } from '../pets.js'
import { html, useEffect, useState } from '../preact.js'
import { goWith, hrefOf, hrefWith } from '../route.js'
import { isInt64 } from '../rules.js'
import { useMay } from '../session.js'
import { usePage } from '../use-page.js'

/** The animals, a page at a time. */
export function Animals({ query: { status, category, id, cursor } }) {
  const may = useMay()
  const filter = { status, categoryId: category, id }
  const page = usePage(pageOf('/v1/pets', { ...filter, cursor }), concerns)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return html`<div class="view">
    <div class="view-head">
      <h1 tabindex="-1">Animals</h1>
      ${
        may('createPet') &&
        html`<a class="button primary" href=${hrefWith({ animal: 'new' })}><${Icon} name="plus" />Add an animal</a>`
      }
    </div>
    <${Filters} status=${status} category=${category} id=${id} />
    ${page.problem && html`<${Trouble} problem=${page.problem} retry=${page.reload} />`}
    <div class="card table-card" aria-busy=${page.isLoading ? 'true' : 'false'}>
      ${
        page.items === undefined
          ? page.problem === undefined && html`<${Loading} lines=${8} label="Loading the animals" />`
          : page.items.length === 0
            ? html`<${Nothing} isFiltered=${isFiltered || cursor !== undefined} id=${id} />`
            : html`<${AnimalTable} pets=${page.items} mayOrder=${may('placeOrder')} />`
      }
    </div>
    ${
      page.items !== undefined &&
      html`<${Pager} list=${`pets ${status} ${category} ${id}`} cursor=${cursor} page=${page} one="animal" many="animals" />`
    }
  </div>`
}

// An animal that is on the page or would be between its first and its last; at the end of the list, any that is new.
function concerns({ type, data }, { items = [], next }) {
  if (!type.startsWith('petstore.pet.')) return false
  const [first, last] = [items[0], items.at(-1)]
  if (last === undefined || next === undefined) return true
  return BigInt(data.id) >= BigInt(first.id) && BigInt(data.id) <= BigInt(last.id)
}

function Filters({ status, category, id }) {
  const choices = [undefined, ...statuses].map((value) => ({
    value,
    words: value === undefined ? 'All' : statusWords[value],
  }))
  const first = { cursor: undefined, id: undefined }
  return html`<div class="filters">
    <${ChoiceLinks}
      label="Status"
      choices=${choices}
      chosen=${id === undefined ? status : null}
      hrefOf=${(value) => hrefWith({ ...first, status: value })}
    />
    <${CategoryFilter} category=${category} />
    <${Jump} id=${id} />
  </div>`
}

function CategoryFilter({ category }) {
  const names = useCategories()
  const [text, setText] = useState('')
  const [fault, setFault] = useState()
  useEffect(() => {
    setText(category === undefined ? '' : (names.get(category) ?? category))
    setFault(undefined)
  }, [category, names])

  function apply(event) {
    event.preventDefault()
    const meant = categoryMeant(text)
    if (meant !== '' && !isInt64(meant)) return setFault('No category is called that. Type its number.')
    setFault(undefined)
    if (meant !== (category ?? '')) {
      goWith({ category: meant === '' ? undefined : meant, cursor: undefined, id: undefined })
    }
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
      onInput=${({ target }) => setText(target.value)}
      onChange=${apply}
    />
    <${CategoryOptions} />
    <p id="category-filter-note" class="note fault" role="status">${fault}</p>
  </form>`
}

function Jump({ id }) {
  const [text, setText] = useState(id ?? '')
  const [fault, setFault] = useState()
  useEffect(() => {
    setText(id ?? '')
    setFault(undefined)
  }, [id])

  function jump(event) {
    event.preventDefault()
    const asked = text.trim()
    if (asked !== '' && !isInt64(asked)) return setFault('An animal is found by its number.')
    setFault(undefined)
    goWith(asked === '' ? { id: undefined } : { id: asked, status: undefined, category: undefined, cursor: undefined })
  }
  return html`<form class="filter jump" role="search" onSubmit=${jump}>
    <label for="jump">Go to number</label>
    <input
      id="jump"
      inputmode="numeric"
      autocomplete="off"
      value=${text}
      aria-describedby="jump-note"
      aria-invalid=${fault === undefined ? undefined : 'true'}
      onInput=${({ target }) => setText(target.value)}
    />
    <button class="icon-button" aria-label="Go"><${Icon} name="search" /></button>
    <p id="jump-note" class="note fault" role="status">${fault}</p>
  </form>`
}

function Nothing({ isFiltered, id }) {
  if (!isFiltered) return html`<${Empty} title="No animals yet">The shop is empty: add the first one.<//>`
  return html`<${Empty} title=${id === undefined ? 'No animal matches' : `No animal has the number ${id}`}>
    <a href=${hrefOf('animals')}>Show all animals</a>
  <//>`
}

function AnimalTable({ pets, mayOrder }) {
  const names = useCategories()
  return html`<table>
    <caption class="visually-hidden">Animals</caption>
    <thead>
      <tr>
        <th scope="col" class="number">Number</th>
        <th scope="col">Name</th>
        <th scope="col" class="category">Category</th>
        <th scope="col">Status</th>
        ${mayOrder && html`<th scope="col" class="row-action"><span class="visually-hidden">Order</span></th>`}
      </tr>
    </thead>
    <tbody>
      ${pets.map((pet) => html`<${Row} key=${pet.id} pet=${pet} names=${names} mayOrder=${mayOrder} />`)}
    </tbody>
  </table>`
}

function Row({ pet, names, mayOrder }) {
  const [problem, setProblem] = useState()
  const href = hrefWith({ animal: pet.id })
  // A larger target for the mouse; for the keyboard there is the link.
  function clicked({ target }) {
    if (target.closest('a, button') === null && getSelection().isCollapsed) location.hash = href
  }
  async function order() {
    setProblem(undefined)
    try {
      const placed = await placeOrder(pet.id)
      announce(`Order ${placed.id} for ${shortName(pet.name)} was placed`, {
        href: hrefOf('orders', { status: 'placed' }),
        words: 'Show orders',
      })
    } catch (error) {
      setProblem(error)
    }
  }
  const category = categoryLabel(names, pet.categoryId)
  return html`<tr onClick=${clicked}>
    <td class="number">${pet.id}</td>
    <td class="name">
      <a href=${href} dir="auto">${pet.name}</a>
      <span class="below">${pet.id} · <bdi>${category}</bdi></span>
      ${problem && html`<${Trouble} problem=${problem} />`}
    </td>
    <td class="category"><bdi>${category}</bdi></td>
    <td><${Status} value=${pet.status} /></td>
    ${
      mayOrder &&
      html`<td class="row-action">
        ${
          pet.status === 'available' &&
          html`<button type="button" class="button small" onClick=${order} aria-label=${`Order ${shortName(pet.name)}`}>
            Order
          </button>`
        }
      </td>`
    }
  </tr>`
}
