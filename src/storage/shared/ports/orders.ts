import type { Orders } from '../../../inventory/orders.ts'
import { withOrderSearch } from '../reads/find-orders.ts'
import type { Engine } from './engine.ts'

export function ordersPort({ find, list, atOneState, write, clock }: Engine): Orders {
  return {
    list: withOrderSearch(
      ({ sort, petId, status }, limit, after) => list('orders', limit, { after, sort, filter: { petId, status } }),
      (search, caller) => atOneState(({ orderProposals }) => search(orderProposals), caller),
    ),
    find: (id) => find('orders', id),
    place: (order, idempotencyKey, author) => write('placeOrder', { order, at: clock(), author, idempotencyKey }),
    update: (id, change, precondition, author) =>
      write('updateOrder', { id, change, at: clock(), author, precondition }),
  }
}
