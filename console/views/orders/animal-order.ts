import type { Order, Pet, WithEtag } from '../../../client/src/index.ts'
import { Button } from '../../components/button.ts'
import { ErrorNotice } from '../../components/error-notice.ts'
import { formatTime } from '../../components/format.ts'
import { type Drawing, html, useState, type VNode } from '../../preact.js'
import { useAction } from '../../state/action.ts'
import { readOrder } from '../../state/orders.ts'
import { useMay } from '../../state/session.ts'
import { ChangeOrder } from './change-order.ts'
import { OrderActions, OrderQuestion, type Question } from './order-actions.ts'
import { PlaceOrder } from './place-order.ts'

interface AnimalOrderProps {
  pet: Pet
  openOrder: Order | undefined
  reload: () => Promise<unknown>
}

/** The order of an animal: place one, or show, change and end the open one. */
export function AnimalOrder({ pet, openOrder, reload }: AnimalOrderProps): Drawing {
  const may = useMay()
  const [isPlacing, setPlacing] = useState(false)
  const [question, setQuestion] = useState<Question>()
  const [changing, setChanging] = useState<WithEtag<Order>>()
  const canPlace = openOrder === undefined && pet.status === 'available' && may('placeOrder')
  const isDialogOpen = isPlacing || question !== undefined || changing !== undefined
  if (openOrder === undefined && !canPlace && !isDialogOpen) return null
  return html`<section class="sheet-section" aria-labelledby="order-heading">
    <h3 id="order-heading">Order</h3>
    ${
      openOrder !== undefined &&
      html`<${OpenOrder} order=${openOrder} change=${setChanging} />
        ${may('updateOrder') && html`<${OrderActions} order=${openOrder} ask=${setQuestion} />`}`
    }
    ${
      canPlace &&
      html`<div class="section-row">
        <p>Somebody wants this animal? An order keeps it for them.</p>
        <button type="button" class="button" onClick=${() => setPlacing(true)}>Place an order…</button>
      </div>`
    }
    ${isPlacing && html`<${PlaceOrder} pet=${pet} onClose=${() => setPlacing(false)} onSettled=${reload} />`}
    ${
      changing !== undefined &&
      html`<${ChangeOrder} order=${changing} onClose=${() => setChanging(undefined)} onSettled=${reload} />`
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

function OpenOrder({ order, change }: { order: Order; change: (order: WithEtag<Order>) => void }): VNode {
  const may = useMay()
  // A change of the texts makes no event: what is shown may be old.
  const opening = useAction(async () => change(await readOrder(order.id)))
  const hasTexts = order.customer !== undefined || order.note !== undefined
  return html`<p>Order ${order.id} is open since ${formatTime(order.placedAt)}.</p>
    ${
      hasTexts &&
      html`<dl class="details">
        ${order.customer !== undefined && html`<div><dt>Customer</dt><dd><bdi>${order.customer}</bdi></dd></div>`}
        ${order.note !== undefined && html`<div><dt>Note</dt><dd class="order-note" dir="auto">${order.note}</dd></div>`}
      </dl>`
    }
    ${
      may('updateOrder') &&
      html`<${Button} className="button small" isDisabled=${opening.isRunning} onClick=${() => opening.run()}>
        ${hasTexts ? 'Change customer or note…' : 'Add a customer or note…'}
      <//>`
    }
    <${ErrorNotice} error=${opening.error} />`
}
