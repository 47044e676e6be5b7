import type { Pet } from '../../client/src/index.ts'
import { ErrorNotice } from '../components/error-notice.ts'
import { shortName } from '../components/format.ts'
import { Status } from '../components/status.ts'
import { html, type VNode } from '../preact.js'
import { useAction } from '../state/action.ts'
import { type Categories, categoryLabel, useCategoryNames } from '../state/categories.ts'
import { notify } from '../state/notices.ts'
import { placeOrder } from '../state/orders.ts'
import type { PetSort } from '../state/pets.ts'
import { hrefOf, hrefWith } from '../state/route.ts'
import { SortHead } from './animal-sort.ts'

interface AnimalTableProps {
  pets: readonly Pet[]
  sort: PetSort
  mayOrder: boolean
}

export function AnimalTable({ pets, sort, mayOrder }: AnimalTableProps): VNode {
  const names = useCategoryNames(pets.map(({ categoryId }) => categoryId))
  return html`<table class="animal-table">
    <caption class="visually-hidden">Animals</caption>
    <thead>
      <tr>
        <${SortHead} column="id" text="Number" sort=${sort} />
        <${SortHead} column="name" text="Name" sort=${sort} />
        <th scope="col" class="category">Category</th>
        <th scope="col" class="status-column">Status</th>
        ${mayOrder && html`<th scope="col" class="row-action"><span class="visually-hidden">Order</span></th>`}
      </tr>
    </thead>
    <tbody>
      ${pets.map((pet) => html`<${Row} key=${pet.id} pet=${pet} names=${names} mayOrder=${mayOrder} />`)}
    </tbody>
  </table>`
}

interface RowProps {
  pet: Pet
  names: Categories['names']
  mayOrder: boolean
}

function Row({ pet, names, mayOrder }: RowProps): VNode {
  const href = hrefWith({ animal: String(pet.id) })
  const ordering = useAction(async () => {
    const { id } = await placeOrder(pet.id)
    notify(html`Order ${id} for <bdi>${shortName(pet.name)}</bdi> was placed`, {
      href: hrefOf('orders', { status: 'placed' }),
      text: 'Show orders',
    })
  })
  // A larger target for the mouse; the keyboard uses the link.
  function onClick({ target }: { target: Element }): void {
    if (target.closest('a, button') === null && getSelection()?.isCollapsed !== false) location.hash = href
  }
  const category = categoryLabel(names, pet.categoryId)
  return html`<tr onClick=${onClick}>
    <td class="number">${pet.id}</td>
    <td class="name">
      <a href=${href} dir="auto">${pet.name}</a>
      <span class="below">${pet.id} · <bdi>${category}</bdi></span>
      ${ordering.error !== undefined && html`<${ErrorNotice} error=${ordering.error} />`}
    </td>
    <td class="category"><bdi>${category}</bdi></td>
    <td class="status-column"><${Status} value=${pet.status} /></td>
    ${
      mayOrder &&
      html`<td class="row-action">
        ${
          pet.status === 'available' &&
          html`<button
            type="button"
            class="button small"
            onClick=${() => ordering.run()}
            aria-disabled=${ordering.isRunning ? 'true' : undefined}
            aria-label=${`Order ${shortName(pet.name)}`}
          >
            Order
          </button>`
        }
      </td>`
    }
  </tr>`
}
