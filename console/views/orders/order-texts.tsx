import type { ComponentChildren, VNode } from 'preact'
import type { Order, WithEtag } from '../../../client/src/index.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useAction } from '../../state/action.ts'
import { readOrder } from '../../state/orders.ts'
import { useMay } from '../../state/session.ts'
import { visibleText } from '../../state/visible-text.ts'
import { CustomerLink } from './customer-link.tsx'

/** The customer and the note of an order, as rows of a description list. Nothing if it has neither. */
export function OrderTexts({ order: { customer, note } }: { order: Order }): ComponentChildren {
  return (
    <>
      {customer !== undefined && (
        <div>
          <dt>Customer</dt>
          <dd>
            <CustomerLink name={customer} />
          </dd>
        </div>
      )}
      {note !== undefined && (
        <div>
          <dt>Note</dt>
          <dd class="order-note" dir="auto">
            {visibleText(note)}
          </dd>
        </div>
      )}
    </>
  )
}

export function hasTexts({ customer, note }: Order): boolean {
  return customer !== undefined || note !== undefined
}

interface ChangeTextsProps {
  order: Order
  /** Opens the form for the order as it is now. */
  change: (order: WithEtag<Order>) => void
}

/** A button, at any time: a mistake is often seen after the sale. Nothing for a key that may not. */
export function ChangeTexts({ order, change }: ChangeTextsProps): VNode | null {
  const may = useMay()
  // A change of the texts makes no event: what is shown may be old.
  const opening = useAction(async () => change(await readOrder(order.id)))
  if (!may('updateOrder')) return null
  return (
    <>
      <Button className="button small" isDisabled={opening.isRunning} onClick={() => opening.run()}>
        {hasTexts(order) ? 'Change customer or note…' : 'Add a customer or note…'}
      </Button>
      <ErrorNotice error={opening.error} />
    </>
  )
}
