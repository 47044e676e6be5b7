import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Order, Pet, WithEtag } from '../../../client/src/index.ts'
import { formatTime, shortName } from '../../components/format.ts'
import { useMay } from '../../state/session.ts'
import { ChangeOrder } from './change-order.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderLink } from './order-link.tsx'
import { ChangeTexts, hasTexts, OrderTexts } from './order-texts.tsx'
import { PlaceOrder } from './place-order.tsx'

interface AnimalOrderProps {
  pet: Pet
  openOrder: Order | undefined
  /** The last one that has ended. */
  lastOrder: Order | undefined
  reload: () => Promise<unknown>
}

/** The order of an animal: place one, or show, change and end the open one. */
export function AnimalOrder({ pet, openOrder, lastOrder, reload }: AnimalOrderProps): ComponentChildren {
  const may = useMay()
  const [isPlacing, setPlacing] = useState(false)
  const [changing, setChanging] = useState<WithEtag<Order>>()
  const canPlace = openOrder === undefined && pet.status === 'available' && may('placeOrder')
  const isDialogOpen = isPlacing || changing !== undefined
  const isSold = openOrder === undefined && pet.status === 'sold' && lastOrder?.status === 'completed'
  if (openOrder === undefined && !canPlace && !isSold && !isDialogOpen) return null
  return (
    <section class="sheet-section" aria-labelledby="order-heading">
      <h3 id="order-heading">Order</h3>
      {openOrder !== undefined && (
        <>
          <OpenOrder order={openOrder} change={setChanging} />
          {may('updateOrder') && <OrderActions order={openOrder} name={pet.name} />}
        </>
      )}
      {isSold && <SoldTo order={lastOrder} />}
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
    </section>
  )
}

function OpenOrder({ order, change }: { order: Order; change: (order: WithEtag<Order>) => void }): VNode {
  return (
    <>
      <p>
        <OrderLink id={order.id} /> is open since {formatTime(order.placedAt)}.
      </p>
      {hasTexts(order) && (
        <dl class="details">
          <OrderTexts order={order} />
        </dl>
      )}
      <ChangeTexts order={order} change={change} />
    </>
  )
}

/** Who has a sold animal, as far as its last order tells. */
function SoldTo({ order: { id, customer, updatedAt } }: { order: Order }): VNode {
  return (
    <p>
      Sold
      {customer !== undefined && (
        <>
          {' '}
          to <bdi>{shortName(customer)}</bdi>
        </>
      )}
      , {formatTime(updatedAt)} (<OrderLink id={id} />)
    </p>
  )
}
