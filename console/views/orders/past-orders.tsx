import type { VNode } from 'preact'
import type { Order } from '../../../client/src/index.ts'
import { formatTime, shortName } from '../../components/format.ts'
import { Status } from '../../components/status.tsx'
import { OrderLink } from './order-link.tsx'

interface PastOrdersProps {
  orders: readonly Order[]
  /** Undefined if there are no older ones, or they are being read. */
  showMore: (() => void) | undefined
}

/** The orders of an animal that have ended, the newest first. */
export function PastOrders({ orders, showMore }: PastOrdersProps): VNode {
  return (
    <section class="sheet-section" aria-labelledby="past-orders-heading">
      <h3 id="past-orders-heading">Past orders</h3>
      <ol class="order-list">
        {orders.map((order) => (
          <li key={order.id}>
            <p>
              <OrderLink id={order.id} />
              {order.customer !== undefined && (
                <>
                  {' '}
                  for <bdi>{shortName(order.customer)}</bdi>
                </>
              )}
            </p>
            <p class="quiet">
              <Status value={order.status} /> · <time datetime={order.updatedAt}>{formatTime(order.updatedAt)}</time>
            </p>
          </li>
        ))}
      </ol>
      {showMore !== undefined && (
        <button type="button" class="button small" onClick={showMore}>
          Show older orders
        </button>
      )}
    </section>
  )
}
