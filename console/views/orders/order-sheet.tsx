import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Order, ShopEvent, WithEtag } from '../../../client/src/index.ts'
import { isId } from '../../api/int64.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Empty, Loading } from '../../components/loading.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { Status } from '../../components/status.tsx'
import { Time } from '../../components/time.tsx'
import { type OrderDetails, useOrder } from '../../state/order.ts'
import { hrefOfAnimal } from '../../state/route.ts'
import { useMay } from '../../state/session.ts'
import { visibleText } from '../../state/visible-text.ts'
import { Author } from '../activity/event-sentence.tsx'
import { ChangeOrder } from './change-order.tsx'
import { OrderActions } from './order-actions.tsx'
import { ChangeTexts, OrderTexts } from './order-texts.tsx'

/** An order on a sheet beside the list: its animal, who it is for, and what happened. */
export function OrderSheet({ id, onClose }: { id: string; onClose: () => void }): VNode {
  if (isId(id)) return <OneOrder id={id} onClose={onClose} />
  return (
    <Sheet title="Not here" label="Not here" onClose={onClose}>
      <Empty title={`No order has the number ${id}`} />
    </Sheet>
  )
}

function OneOrder({ id, onClose }: { id: string; onClose: () => void }): VNode {
  const may = useMay()
  const { result, error, reload } = useOrder(id)
  const [changing, setChanging] = useState<WithEtag<Order>>()
  const order = result?.order
  usePrintTitle(order === undefined ? undefined : `Order ${id}`)
  return (
    <Sheet title={`Order ${id}`} label={`Order ${id}`} onClose={onClose}>
      <ErrorNotice error={error} retry={reload} />
      {result === undefined && error === undefined && <Loading lines={4} label="Loading the order" />}
      {result !== undefined && order === undefined && <Empty title={`No order has the number ${id}`} />}
      {result !== undefined && order !== undefined && (
        <>
          <dl class="details">
            <Detail term="Animal">
              <AnimalOf order={order} details={result} />
            </Detail>
            <Detail term="Status">
              <Status value={order.status} />
            </Detail>
            <OrderTexts order={order} />
            <Detail term="Placed">
              <Time at={order.placedAt} />
            </Detail>
          </dl>
          <div class="order-actions">
            <ChangeTexts order={order} change={setChanging} />
            {order.status === 'placed' && may('updateOrder') && <OrderActions order={order} name={result.petName} />}
            <button type="button" class="button" onClick={() => print()}>
              Print
            </button>
          </div>
          {may('listEvents') && <OrderHistory events={result.events} />}
        </>
      )}
      {changing !== undefined && (
        <ChangeOrder order={changing} onClose={() => setChanging(undefined)} onSettled={reload} />
      )}
    </Sheet>
  )
}

/** The slip is a document of its own: its title is in the head of the paper, and the name of a PDF. */
function usePrintTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return
    let before = document.title
    const onPrint = (): void => {
      before = document.title
      document.title = title
    }
    const onPrinted = (): void => void (document.title = before)
    addEventListener('beforeprint', onPrint)
    addEventListener('afterprint', onPrinted)
    return () => {
      removeEventListener('beforeprint', onPrint)
      removeEventListener('afterprint', onPrinted)
    }
  }, [title])
}

function Detail({ term, children }: { term: string; children: ComponentChildren }): VNode {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function AnimalOf({ order, details: { petName, isPetGone } }: { order: Order; details: OrderDetails }): VNode {
  const name = <bdi>{petName === undefined ? `Animal ${order.petId}` : visibleText(petName)}</bdi>
  return (
    <>
      {isPetGone ? name : <a href={hrefOfAnimal(order.petId)}>{name}</a>}
      {isPetGone && ', not here any more'}
      {petName !== undefined && <span class="on-paper"> (animal {order.petId})</span>}
    </>
  )
}

const what: Partial<Record<ShopEvent['type'], string>> = {
  'petstore.order.placed': 'Placed',
  'petstore.order.completed': 'Completed',
  'petstore.order.cancelled': 'Cancelled',
}

/** Who did what is for the shop: a slip goes to the customer. */
function OrderHistory({ events }: { events: readonly ShopEvent[] }): VNode {
  return (
    <section class="sheet-section on-screen" aria-labelledby="order-history-heading">
      <h3 id="order-history-heading">History</h3>
      {events.length === 0 && <p class="quiet">Nothing is kept of what happened to it.</p>}
      <ol class="history">
        {events.map((event) => (
          <li key={event.id}>
            <p>{what[event.type]}</p>
            <p class="quiet">
              <Author event={event} /> <Time at={event.time} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}
