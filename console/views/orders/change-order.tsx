import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { isPetStoreError, type Order, type WithEtag } from '../../../client/src/index.ts'
import { Meanwhile } from '../../components/meanwhile.tsx'
import { statusText } from '../../components/status.tsx'
import { notify } from '../../state/notices.ts'
import { changeOrderTexts, type OrderTexts, readOrder, textChange, textsOf } from '../../state/orders.ts'
import { visibleText } from '../../state/visible-text.ts'
import { OrderForm } from './order-form.tsx'

interface ChangeOrderProps {
  order: WithEtag<Order>
  onClose: () => void
  /** Called after each attempt, also a failed one: somebody else may have changed the order. */
  onSettled: () => unknown
}

/**
 * Changes or removes the customer and the note. A change of the other text by somebody else stays. One of the same text
 * is reported; the typed text stays and is saved in its place on request.
 */
export function ChangeOrder({ order, onClose, onSettled }: ChangeOrderProps): VNode {
  const [seen, setSeen] = useState(order)

  async function save(texts: OrderTexts): Promise<boolean> {
    const asked = textChange(seen, texts)
    if (Object.keys(asked).length === 0) return true
    try {
      if (!(await merge(asked))) return false
    } finally {
      onSettled()
    }
    notify(`Order ${order.id} was saved`)
    return true
  }

  /** Makes the change beside those of others. Resolves to false, and shows theirs, if they overlap. */
  async function merge(asked: Partial<OrderTexts>): Promise<boolean> {
    for (let base = seen; ; ) {
      try {
        await changeOrderTexts(base, { ...textsOf(base), ...asked })
        return true
      } catch (error) {
        if (!isPetStoreError(error, 'precondition_failed')) throw error
      }
      const now = await readOrder(base.id)
      const left = Object.keys(textChange(now, { ...textsOf(now), ...asked }))
      // Somebody else made the same change, or a response was lost.
      if (left.length === 0) return true
      const theirs = textChange(base, textsOf(now))
      if (left.some((member) => member in theirs)) {
        setSeen(now)
        return false
      }
      base = now
    }
  }
  return (
    <OrderForm
      title={`Change order ${order.id}`}
      draftName={`order-${order.id}`}
      texts={textsOf(seen)}
      submitText="Save the order"
      busyText="Saving…"
      onSubmit={save}
      onClose={onClose}
    >
      {seen === order ? <p>An empty field removes what was there.</p> : <ChangedMeanwhile before={order} now={seen} />}
    </OrderForm>
  )
}

function ChangedMeanwhile({ before, now }: { before: Order; now: Order }): VNode {
  return (
    <Meanwhile what="order">
      {now.status !== before.status && <li>It is now {statusText[now.status].toLowerCase()}</li>}
      {now.customer !== before.customer && (
        <li>
          {now.customer === undefined ? (
            'It has no customer any more'
          ) : (
            <>
              It is now for <bdi>{visibleText(now.customer)}</bdi>
            </>
          )}
        </li>
      )}
      {now.note !== before.note && (
        <li>
          {now.note === undefined ? (
            'It has no note any more'
          ) : (
            <>
              The note is now <bdi>{now.note}</bdi>
            </>
          )}
        </li>
      )}
    </Meanwhile>
  )
}
