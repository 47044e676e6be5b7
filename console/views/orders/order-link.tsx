import type { VNode } from 'preact'
import type { Int64 } from '../../../client/src/index.ts'
import { hrefOfOrder } from '../../state/route.ts'
import { useMay } from '../../state/session.ts'

/** "Order 7", with a link to its sheet if the key may see it. */
export function OrderLink({ id }: { id: Int64 }): VNode {
  const may = useMay()
  return may('getOrder') ? <a href={hrefOfOrder(id)}>Order {id}</a> : <span>Order {id}</span>
}
