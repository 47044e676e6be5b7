import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { isPetStoreError, type Order, type WithEtag } from '../../../client/src/index.ts'
import { Meanwhile } from '../../components/meanwhile.tsx'
import { statusText } from '../../components/status.tsx'
import { notify } from '../../state/notices.ts'
import { changeOrderTexts, isSameTexts, type OrderTexts, readOrder, textsOf } from '../../state/orders.ts'
import { OrderForm } from './order-form.tsx'

interface ChangeOrderProps {
  order: WithEtag<Order>
  onClose: () => void
  /** Called after each attempt, also a failed one: somebody else may have changed the order. */
  onSettled: () => unknown
}

/**
 * Changes or removes the customer and the note if the order is unchanged since it was read. Reports concurrent changes;
 * the typed text stays and is saved on top of them on request.
 */
export function ChangeOrder({ order, onClose, onSettled }: ChangeOrderProps): VNode {
  const [seen, setSeen] = useState(order)

  async function save(texts: OrderTexts): Promise<boolean> {
    if (isSameTexts(texts, seen)) return true
    try {
      await changeOrderTexts(seen, texts)
    } catch (error) {
      if (!isPetStoreError(error, 'precondition_failed')) throw error
      const now = await readOrder(seen.id)
      // If the texts are the same, the change is already made: a response was lost.
      if (!isSameTexts(texts, now)) {
        setSeen(now)
        return false
      }
    } finally {
      onSettled()
    }
    notify(`Order ${order.id} was saved`)
    return true
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
              It is now for <bdi>{now.customer}</bdi>
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
