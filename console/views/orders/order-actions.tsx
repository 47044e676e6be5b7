import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Order } from '../../../client/src/index.ts'
import { Confirm } from '../../components/dialog.tsx'
import { shortName } from '../../components/format.ts'
import { followFeed, isPetChange } from '../../state/feed.ts'
import { notify } from '../../state/notices.ts'
import { endOrder, type OrderEnd } from '../../state/orders.ts'
import { isSameId } from '../../state/pets.ts'

/** The order and the way to end it. */
export interface Question {
  order: Order
  end: OrderEnd
}

/** The buttons to complete or cancel an open order. */
export function OrderActions({ order, ask }: { order: Order; ask: (question: Question) => void }): VNode {
  return (
    <div class="order-actions">
      <button
        type="button"
        class="button small"
        onClick={() => ask({ order, end: 'completed' })}
        aria-label={`Complete order ${order.id}`}
      >
        Complete
      </button>
      <button
        type="button"
        class="button small plain"
        onClick={() => ask({ order, end: 'cancelled' })}
        aria-label={`Cancel order ${order.id}`}
      >
        Cancel
      </button>
    </div>
  )
}

interface OrderQuestionProps {
  question: Question
  /** Of the animal, if it is known. */
  name: string | null | undefined
  onClose: () => void
  onEnded: () => Promise<unknown>
}

/**
 * Asks for confirmation, because neither can be undone. A separate component, so that it stays when the row of the
 * order disappears.
 */
export function OrderQuestion({ question: { order, end }, name, onClose, onEnded }: OrderQuestionProps): VNode {
  const endedBy = useEndBySomebodyElse(order)
  const animal = <bdi>{name === undefined || name === null ? `Animal ${order.petId}` : shortName(name)}</bdi>

  async function act(): Promise<void> {
    await endOrder(order, end)
    onClose()
    notify(`Order ${order.id} was ${end}`)
    await onEnded()
  }
  const isCompleting = end === 'completed'
  return (
    <Confirm
      title={`${isCompleting ? 'Complete' : 'Cancel'} order ${order.id}?`}
      action={isCompleting ? 'Complete the order' : 'Cancel the order'}
      act={act}
      onClose={onClose}
      obsolete={endedBy === undefined ? undefined : `Somebody else ${endedBy} this order meanwhile.`}
    >
      {animal} will be {isCompleting ? 'sold' : 'available again'}.
    </Confirm>
  )
}

function useEndBySomebodyElse(order: Order): OrderEnd | undefined {
  const [end, setEnd] = useState<OrderEnd>()
  useEffect(
    () =>
      followFeed((signal) => {
        if (typeof signal === 'string' || isPetChange(signal)) return
        const { id, status } = signal.data
        if (isSameId(id, order.id) && status !== 'placed') setEnd(status)
      }),
    [order.id],
  )
  return end
}
