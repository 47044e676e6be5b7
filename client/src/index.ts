export { PetStore, type PetStoreOptions } from './petstore.ts'
export type { ChangeOptions, CreateOptions, Pets } from './pets.ts'
export type { Orders } from './orders.ts'
export type { Categories } from './categories.ts'
export type { Events, FollowOptions, OrderEvent, PetEvent } from './events.ts'
export type { List, Page } from './list.ts'
export type { CallOptions } from './transport.ts'
export type { RetryOptions } from './retry.ts'
export type { Warning } from './deprecation.ts'
export { etagOf } from './etag.ts'
export {
  CallError,
  ConnectionError,
  type ErrorCode,
  isPetStoreError,
  PetStoreError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts'
export type {
  Category,
  Int64,
  ListCategoriesQuery,
  ListEventsQuery,
  ListOrdersQuery,
  ListPetsQuery,
  NewCategory,
  NewOrder,
  NewPet,
  Order,
  OrderStatus,
  Pet,
  PetChange,
  PetStatus,
  ShopEvent,
} from './contract.ts'
