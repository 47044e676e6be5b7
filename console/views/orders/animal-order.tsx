import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Order, Pet, WithEtag } from '../../../client/src/index.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { formatTime } from '../../components/format.ts'
import { useAction } from '../../state/action.ts'
import { readOrder } from '../../state/orders.ts'
import { useMay } from '../../state/session.ts'
import { ChangeOrder } from './change-order.tsx'
import { OrderActions, OrderQuestion, type Question } from './order-actions.tsx'
import { PlaceOrder } from './place-order.tsx'

interface AnimalOrderProps {
  pet: Pet
  openOrder: Order | undefined
  reload: () => Promise<unknown>
}

/** The order of an animal: place one, or show, change and end the open one. */
export function AnimalOrder({ pet, openOrder, reload }: AnimalOrderProps): ComponentChildren {
  const may = useMay()
  const [isPlacing, setPlacing] = useState(false)
  const [question, setQuestion] = useState<Question>()
  const [changing, setChanging] = useState<WithEtag<Order>>()
  const canPlace = openOrder === undefined && pet.status === 'available' && may('placeOrder')
  const isDialogOpen = isPlacing || question !== undefined || changing !== undefined
  if (openOrder === undefined && !canPlace && !isDialogOpen) return null
  return (
    <section class="sheet-section" aria-labelledby="order-heading">
      <h3 id="order-heading">Order</h3>
      {openOrder !== undefined && (
        <>
          <OpenOrder order={openOrder} change={setChanging} />
          {may('updateOrder') && <OrderActions order={openOrder} ask={setQuestion} />}
        </>
      )}
      {canPlace && (
        <div class="section-row">
          <p>Somebody wants this animal? An order keeps it for them.</p>
          <button type="button" class="button" onClick={() => setPlacing(true)}>
            Place an order…
          </button>
        </div>
      )}
      {isPlacing && <PlaceOrder pet={pet} onClose={() => setPlacing(false)} onSettled={reload} />}
      {changing !== undefined && (
        <ChangeOrder order={changing} onClose={() => setChanging(undefined)} onSettled={reload} />
      )}
      {question !== undefined && (
        <OrderQuestion question={question} name={pet.name} onClose={() => setQuestion(undefined)} onEnded={reload} />
      )}
    </section>
  )
}

function OpenOrder({ order, change }: { order: Order; change: (order: WithEtag<Order>) => void }): VNode {
  const may = useMay()
  // A change of the texts makes no event: what is shown may be old.
  const opening = useAction(async () => change(await readOrder(order.id)))
  const hasTexts = order.customer !== undefined || order.note !== undefined
  return (
    <>
      <p>
        Order {order.id} is open since {formatTime(order.placedAt)}.
      </p>
      {hasTexts && (
        <dl class="details">
          {order.customer !== undefined && (
            <div>
              <dt>Customer</dt>
              <dd>
                <bdi>{order.customer}</bdi>
              </dd>
            </div>
          )}
          {order.note !== undefined && (
            <div>
              <dt>Note</dt>
              <dd class="order-note" dir="auto">
                {order.note}
              </dd>
            </div>
          )}
        </dl>
      )}
      {may('updateOrder') && (
        <Button className="button small" isDisabled={opening.isRunning} onClick={() => opening.run()}>
          {hasTexts ? 'Change customer or note…' : 'Add a customer or note…'}
        </Button>
      )}
      <ErrorNotice error={opening.error} />
    </>
  )
}
