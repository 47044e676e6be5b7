import { announce } from '../announce.js'
import { shortName } from '../format.js'
import { endOrder } from '../orders.js'
import { Confirm } from '../parts/dialog.js'
import { html, useState } from '../preact.js'

/** The two ends of an open order, each asked for once more: neither can be undone. */
export function OrderActions({ order, name, onEnded }) {
  const [end, setEnd] = useState()
  const animal = name === undefined || name === null ? `animal ${order.petId}` : shortName(name)

  async function act() {
    await endOrder(order, end)
    setEnd(undefined)
    announce(`Order ${order.id} was ${end}`)
    await onEnded()
  }
  return html`<div class="order-actions">
    <button type="button" class="button small" onClick=${() => setEnd('completed')} aria-label=${`Complete order ${order.id}`}>
      Complete
    </button>
    <button
      type="button"
      class="button small plain"
      onClick=${() => setEnd('cancelled')}
      aria-label=${`Cancel order ${order.id}`}
    >
      Cancel
    </button>
    ${
      end === 'completed' &&
      html`<${Confirm}
        title=${`Complete order ${order.id}?`}
        action="Complete the order"
        act=${act}
        onClose=${() => setEnd(undefined)}
      >
        <bdi>${animal}</bdi> will be sold.
      <//>`
    }
    ${
      end === 'cancelled' &&
      html`<${Confirm} title=${`Cancel order ${order.id}?`} action="Cancel the order" act=${act} onClose=${() => setEnd(undefined)}>
        <bdi>${animal}</bdi> will be available again.
      <//>`
    }
  </div>`
}
