import type { Order, Pet } from '../../client/src/index.ts'
import { ErrorNotice } from '../components/error-notice.ts'
import { formatTime, shortName } from '../components/format.ts'
import { type Drawing, html, useState } from '../preact.js'
import { useAction } from '../state/action.ts'
import { notify } from '../state/notices.ts'
import { placeOrder } from '../state/orders.ts'
import { useMay } from '../state/session.ts'
import { OrderActions, OrderQuestion, type Question } from './order-actions.ts'

interface AnimalOrderProps {
  pet: Pet
  openOrder: Order | undefined
  reload: () => Promise<unknown>
}

/** The order of an animal: place one, or end the open one. */
export function AnimalOrder({ pet, openOrder, reload }: AnimalOrderProps): Drawing {
  const may = useMay()
  const [question, setQuestion] = useState<Question>()
  const placing = useAction(async () => {
    try {
      const { id } = await placeOrder(pet.id)
      notify(html`Order ${id} for <bdi>${shortName(pet.name)}</bdi> was placed`)
    } finally {
      await reload()
    }
  })

  const canPlace = openOrder === undefined && pet.status === 'available' && may('placeOrder')
  if (openOrder === undefined && !canPlace && placing.error === undefined && question === undefined) return null
  return html`<section class="sheet-section" aria-labelledby="order-heading">
    <h3 id="order-heading">Order</h3>
    ${placing.error !== undefined && html`<${ErrorNotice} error=${placing.error} />`}
    ${
      openOrder !== undefined &&
      html`<p>Order ${openOrder.id} is open since ${formatTime(openOrder.placedAt)}.</p>
        ${may('updateOrder') && html`<${OrderActions} order=${openOrder} ask=${setQuestion} />`}`
    }
    ${
      canPlace &&
      html`<div class="section-row">
        <p>Somebody wants this animal? An order keeps it for them.</p>
        <button
          type="button"
          class="button"
          onClick=${() => placing.run()}
          aria-disabled=${placing.isRunning ? 'true' : undefined}
        >
          Place an order
        </button>
      </div>`
    }
    ${
      question !== undefined &&
      html`<${OrderQuestion}
        question=${question}
        name=${pet.name}
        onClose=${() => setQuestion(undefined)}
        onEnded=${reload}
      />`
    }
  </section>`
}
