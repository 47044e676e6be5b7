import type { VNode } from 'preact'
import type { Order } from '../../../client/src/index.ts'
import { formatTime, shortName } from '../../components/format.ts'
import { Icon } from '../../components/icons.tsx'
import { Status, statusText } from '../../components/status.tsx'
import { TableHead } from '../../components/table-head.tsx'
import type { PetNames } from '../../state/pet-names.ts'
import { hrefOfAnimal, hrefOfOrder, openOrder } from '../../state/route.ts'
import { useMay } from '../../state/session.ts'
import { CustomerLink } from './customer-link.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderLink } from './order-link.tsx'

interface OrderTableProps {
  orders: readonly Order[]
  names: PetNames
}

const columns = [
  { className: 'number', text: 'Order' },
  { className: 'name', text: 'Animal' },
  { className: 'customer optional', text: 'Customer' },
  { className: 'optional', text: 'Placed' },
  { className: 'status-column', text: 'Status' },
]

export function OrderTable({ orders, names }: OrderTableProps): VNode {
  const may = useMay()
  return (
    <table class="order-table">
      <caption class="visually-hidden">Orders</caption>
      <TableHead columns={columns} hasActions={may('updateOrder')} />
      <tbody>
        {orders.map((order) => (
          <Row key={order.id} order={order} name={names.get(String(order.petId))} />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  order: Order
  /** Of its animal; null if it was deleted. */
  name: string | null | undefined
}

function Row({ order, name }: RowProps): VNode {
  const may = useMay()
  // A larger target for the mouse; the keyboard uses the link.
  function onClick({ target }: MouseEvent): void {
    const isOnControl = target instanceof Element && target.closest('a, button') !== null
    if (!isOnControl && getSelection()?.isCollapsed !== false && may('getOrder')) openOrder(order.id)
  }
  return (
    <tr onClick={onClick}>
      <td class="number">
        {may('getOrder') ? (
          <a href={hrefOfOrder(order.id)} aria-label={`Order ${order.id}`}>
            {order.id}
          </a>
        ) : (
          order.id
        )}
        <NoteMark order={order} />
      </td>
      <td class="name">
        <AnimalName id={String(order.petId)} name={name} />
        {order.customer !== undefined && (
          <span class="below">
            For <CustomerLink name={order.customer} short={shortName(order.customer)} />
          </span>
        )}
        <span class="below">
          <span class="status-below">
            <OrderLink id={order.id} />
            <NoteMark order={order} /> · {statusText[order.status]} ·{' '}
          </span>
          {formatTime(order.placedAt)}
        </span>
      </td>
      <td class="customer optional">{order.customer !== undefined && <CustomerLink name={order.customer} />}</td>
      <td class="optional">{formatTime(order.placedAt)}</td>
      <td class="status-column">
        <Status value={order.status} />
      </td>
      {may('updateOrder') && (
        <td class="row-action">{order.status === 'placed' && <OrderActions order={order} name={name} />}</td>
      )}
    </tr>
  )
}

/** Tells that the sheet of the order has a note. */
function NoteMark({ order: { note } }: { order: Order }): VNode | null {
  if (note === undefined) return null
  return (
    <span class="note-mark" title={note}>
      <Icon name="note" />
      <span class="visually-hidden">has a note</span>
    </span>
  )
}

function AnimalName({ id, name }: { id: string; name: string | null | undefined }): VNode {
  if (name === null) return <span class="quiet">Animal {id}, not here any more</span>
  return (
    <a href={hrefOfAnimal(id)} dir="auto">
      {name === undefined ? `Animal ${id}` : shortName(name)}
    </a>
  )
}
