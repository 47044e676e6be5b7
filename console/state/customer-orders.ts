import type { Order, OrderStatus, Page } from '../../client/src/index.ts'
import { type OrderSort, readOrders } from './orders.ts'
import type { Query } from './route.ts'
import { canBeFound } from './search-text.ts'

/** Longer texts cannot be searched. */
const maxSearched = 100

interface CustomerOrders {
  customer: string
  status: OrderStatus | undefined
  sort: OrderSort
  cursor: string | undefined
}

/**
 * A page of the orders of one customer, and of no other one: the service finds by the beginnings of words, so for “Anna
 * Smith” it finds “Anna Smithers” too.
 */
export function readOrdersOf({ customer, ...filter }: CustomerOrders, signal: AbortSignal): Promise<Page<Order>> {
  const isTheirs = (order: Order) => isSameCustomer(order.customer, customer)
  return readOrders({ ...filter, customer: searchedCustomer(customer) }, signal, isTheirs)
}

/** What the service looks for: words, of which the last may be cut. */
export function searchedCustomer(customer: string): string {
  return Array.from(customer.trim()).slice(0, maxSearched).join('')
}

/** Without regard to case and spaces, which people type in different ways. */
export function isSameCustomer(one: string | undefined, other: string): boolean {
  return one !== undefined && comparable(one) === comparable(other)
}

function comparable(name: string): string {
  return name.normalize().trim().replace(/\s+/g, ' ').toLowerCase()
}

/** Whether the service can look for this customer: the beginning of the name needs a word. */
export function canBeAskedFor(customer: string): boolean {
  return canBeFound(searchedCustomer(customer))
}

/** The customer whose orders the address asks for; '' for those of all. */
export function customerOf({ customer = '' }: Query): string {
  return canBeAskedFor(customer) ? customer : ''
}
