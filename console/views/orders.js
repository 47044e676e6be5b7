import { formatMoment, shortName } from '../format.js'
import { loadPetNames, usePetNames } from '../pet-names.js'
import { ChoiceLinks } from '../parts/choices.js'
import { Empty, Loading } from '../parts/loading.js'
import { Pager } from '../parts/pager.js'
import { Status } from '../parts/status.js'
import { Trouble } from '../parts/trouble.js'
import { pageOf } from '../pets.js'
import { html, useEffect } from '../preact.js'
import { hrefWith } from '../route.js'
import { useMay } from '../session.js'
import { usePage } from '../use-page.js'
import { OrderActions } from './order-actions.js'

const choices = [
  { value: 'placed', words: 'Open' },
  { value: 'completed', words: 'Completed' },
  { value: 'cancelled', words: 'Cancelled' },
  { value: 'all', words: 'All' },
]

/** The orders: at first those that wait to be ended. */
export function Orders({ query: { status = 'placed', cursor } }) {
  const may = useMay()
  const asked = status === 'all' ? undefined : status
  const page = usePage(pageOf('/v1/store/orders', { status: asked, cursor }), ({ type }) =>
    type.startsWith('petstore.order.'),
  )
  useEffect(() => {
    if (page.items !== undefined) void loadPetNames(page.items.map(({ petId }) => String(petId)))
  }, [page.items])
  return html`<div class="view">
    <div class="view-head"><h1 tabindex="-1">Orders</h1></div>
    <div class="filters">
      <${ChoiceLinks}
        label="Status"
        choices=${choices}
        chosen=${status}
        hrefOf=${(value) => hrefWith({ status: value, cursor: undefined })}
      />
    </div>
    ${page.problem && html`<${Trouble} problem=${page.problem} retry=${page.reload} />`}
    <div class="card table-card" aria-busy=${page.isLoading ? 'true' : 'false'}>
      ${
        page.items === undefined
          ? page.problem === undefined && html`<${Loading} label="Loading the orders" />`
          : page.items.length === 0
            ? html`<${NoOrders} status=${status} />`
            : html`<${OrderTable} orders=${page.items} mayEnd=${may('updateOrder')} reload=${page.reload} />`
      }
    </div>
    ${
      page.items !== undefined &&
      html`<${Pager} list=${`orders ${status}`} cursor=${cursor} page=${page} one="order" many="orders" />`
    }
  </div>`
}

function NoOrders({ status }) {
  if (status === 'placed')
    return html`<${Empty} title="No open orders">Open an animal that is available to place one.<//>`
  return html`<${Empty} title="No orders here">Orders come here when they end.<//>`
}

function OrderTable({ orders, mayEnd, reload }) {
  const names = usePetNames()
  return html`<table>
    <caption class="visually-hidden">Orders</caption>
    <thead>
      <tr>
        <th scope="col" class="number">Order</th>
        <th scope="col">Animal</th>
        <th scope="col" class="optional">Placed</th>
        <th scope="col">Status</th>
        ${mayEnd && html`<th scope="col" class="row-action"><span class="visually-hidden">Actions</span></th>`}
      </tr>
    </thead>
    <tbody>
      ${orders.map((order) => {
        const name = names.get(String(order.petId))
        return html`<tr key=${order.id}>
          <td class="number">${order.id}</td>
          <td class="name">
            <${AnimalName} id=${order.petId} name=${name} />
            <span class="below">Order ${order.id} · ${formatMoment(order.placedAt)}</span>
          </td>
          <td class="optional">${formatMoment(order.placedAt)}</td>
          <td><${Status} value=${order.status} /></td>
          ${
            mayEnd &&
            html`<td class="row-action">
              ${order.status === 'placed' && html`<${OrderActions} order=${order} name=${name} onEnded=${reload} />`}
            </td>`
          }
        </tr>`
      })}
    </tbody>
  </table>`
}

function AnimalName({ id, name }) {
  if (name === null) return html`<span class="quiet">Animal ${id}, not here any more</span>`
  return html`<a href=${hrefWith({ animal: id })} dir="auto">${name === undefined ? `Animal ${id}` : shortName(name)}</a>`
}
