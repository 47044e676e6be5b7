import type { ShopEvent } from '../../contract/event.ts'
import { encodeOrder, type Order, type OrderChange, orderMembers } from '../../contract/order.ts'
import { encodePet, type Pet } from '../../contract/pet.ts'
import type { IdempotencyKey } from '../idempotency-key.ts'
import type { ApiKey, NewApiKey } from '../keys.ts'
import type { Resource, ResourceTable } from '../tables.ts'

/** What a decision changes. `at` is in milliseconds since 1970; `author` goes into the event, as JSON. */
export type Change = PetChanged | OrderChanged | OrderDescribed | ResourceChanged | KeyChanged | ResponseStored

interface Made {
  at: number
  author?: string | undefined
}

/** `pet` is the pet after the change; of a deleted one, before it. */
export type PetChanged =
  | ({ type: 'pet.created'; pet: Pet } & Made)
  | ({ type: 'pet.updated'; pet: Pet; before: Pet } & Made)
  | ({ type: 'pet.deleted'; pet: Pet } & Made)

/** `order` is the order after the change. */
export interface OrderChanged extends Made {
  type: 'order.placed' | `order.${NonNullable<OrderChange['status']>}`
  order: Order
}

/** An order got another `customer` or `note`, and its status stayed. */
export interface OrderDescribed {
  type: 'order.described'
  order: Order
}

/** Changes of these make no events. */
export type TableWithoutEvents = Exclude<ResourceTable, 'pets' | 'orders'>

/** `resource.put`: it is new, or replaces the one with the same id. */
export type ResourceChanged =
  | { [Table in TableWithoutEvents]: { type: 'resource.put'; table: Table; item: Resource<Table> } }[TableWithoutEvents]
  | { type: 'resource.removed'; table: TableWithoutEvents; id: bigint }

export type KeyChanged = { type: 'key.created'; key: NewApiKey } | { type: 'key.changed'; key: ApiKey }

/** The response to a request with an idempotency key. It replaces an expired one of the same key. */
export interface ResponseStored {
  type: 'response.stored'
  key: IdempotencyKey
  body: string
  at: number
}

/** Whether a change makes an event. */
export function hasEvent(change: Change): change is PetChanged | OrderChanged {
  return 'pet' in change || ('order' in change && change.type !== 'order.described')
}

/**
 * The event of a change. Only changes of pets and of the status of an order have one. It has no private members.
 */
export function eventOf(change: Change): Omit<ShopEvent, 'id'> | undefined {
  if (!hasEvent(change)) return undefined
  if ('pet' in change) {
    const { type, pet, at, author } = change
    return { type, subject: pet.id, at, data: encodePet(pet), author }
  }
  const { type, order, at, author } = change
  return { type, subject: order.id, at, data: encodeOrder(withoutPrivate(order)), author }
}

function withoutPrivate(order: Order): Order {
  const shown = { ...order }
  for (const [name, member] of Object.entries(orderMembers)) {
    if (member.isPrivate) delete shown[name as keyof Order]
  }
  return shown
}

/** The resource with the members of a change. A member of null is removed. */
export function withChange<Resource extends object>(
  resource: Resource,
  change: { readonly [Name in keyof Resource]?: Resource[Name] | null | undefined },
): Resource {
  const changed = { ...resource }
  for (const name of Object.keys(change) as (keyof Resource)[]) {
    const value = change[name]
    if (value === null) delete changed[name]
    else if (value !== undefined) changed[name] = value
  }
  return changed
}
