import { announce } from '../announce.js'
import { formatMoment, shortName } from '../format.js'
import { placeOrder } from '../orders.js'
import { Trouble } from '../parts/trouble.js'
import { html, useState } from '../preact.js'
import { useMay } from '../session.js'
import { OrderActions } from './order-actions.js'

/** The order for an animal: placing one, or ending the one that is open. */
export function AnimalOrder({ pet, openOrder, reload }) {
  const may = useMay()
  const [state, setState] = useState({})

  async function place() {
    if (state.isBusy) return
    setState({ isBusy: true })
    try {
      const order = await placeOrder(pet.id)
      announce(`Order ${order.id} for ${shortName(pet.name)} was placed`)
      setState({})
    } catch (problem) {
      setState({ problem })
    }
    await reload()
  }

  const canPlace = openOrder === undefined && pet.status === 'available' && may('placeOrder')
  if (openOrder === undefined && !canPlace && state.problem === undefined) return null
  return html`<section class="sheet-section" aria-labelledby="order-heading">
    <h3 id="order-heading">Order</h3>
    ${state.problem && html`<${Trouble} problem=${state.problem} />`}
    ${
      openOrder !== undefined &&
      html`<p>Order ${openOrder.id} is open since ${formatMoment(openOrder.placedAt)}.</p>
        ${may('updateOrder') && html`<${OrderActions} order=${openOrder} name=${pet.name} onEnded=${reload} />`}`
    }
    ${
      canPlace &&
      html`<div class="section-row">
        <p>Somebody wants this animal? An order keeps it for them.</p>
        <button type="button" class="button" onClick=${place} aria-disabled=${state.isBusy ? 'true' : undefined}>
          Place an order
        </button>
      </div>`
    }
  </section>`
}
