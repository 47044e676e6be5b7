import type { VNode } from 'preact'
import type { Order } from '../../../client/src/index.ts'
import { Button } from '../../components/button.tsx'
import { shortName } from '../../components/format.ts'
import { isPetChange } from '../../state/feed.ts'
import { endOrder, type OrderEnd } from '../../state/orders.ts'
import { postpone, useIsPending } from '../../state/pending.ts'
import { isSameId } from '../../state/pets.ts'

interface OrderActionsProps {
  order: Order
  /** Of the animal, if it is known. */
  name: string | null | undefined
}

/** The buttons to complete or cancel an open order. Either waits for an Undo, because an order is closed once. */
export function OrderActions({ order, name }: OrderActionsProps): VNode {
  // They stay while it waits, so that the focus stays.
  const isDisabled = useIsPending(subjectOf(order))
  return (
    <div class="order-actions">
      <Button
        className="button small"
        isDisabled={isDisabled}
        onClick={() => postponeEnd(order, 'completed', name)}
        aria-label={`Complete order ${order.id}`}
      >
        Complete
      </Button>
      <Button
        className="button small plain"
        isDisabled={isDisabled}
        onClick={() => postponeEnd(order, 'cancelled', name)}
        aria-label={`Cancel order ${order.id}`}
      >
        Cancel
      </Button>
    </div>
  )
}

function subjectOf({ id }: Order): string {
  return `order ${id}`
}

function postponeEnd(order: Order, end: OrderEnd, name: string | null | undefined): void {
  const animal = <bdi>{name === undefined || name === null ? `animal ${order.petId}` : shortName(name)}</bdi>
  postpone({
    subject: subjectOf(order),
    text:
      end === 'completed' ? (
        <>
          Completing order {order.id}: {animal} will be sold
        </>
      ) : (
        <>
          Cancelling order {order.id}: {animal} will be available again
        </>
      ),
    done: `Order ${order.id} was ${end}`,
    undone: `Order ${order.id} stays open`,
    notDone: `Order ${order.id} was not ${end}`,
    send: (client) => endOrder(order, end, client),
    obsoleteBy(change) {
      if (isPetChange(change) || !isSameId(change.data.id, order.id) || change.data.status === 'placed')
        return undefined
      return `Somebody else ${change.data.status} order ${order.id} meanwhile`
    },
  })
}
