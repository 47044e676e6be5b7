export { PetStore } from './petstore.ts'
export type {
  CallOptions,
  ChangeOptions,
  CreateOptions,
  FollowOptions,
  ImportOptions,
  ImportSource,
  ListOptions,
  PetStoreOptions,
  PutOptions,
  RetryOptions,
} from './options.ts'
export type { Pets } from './pets.ts'
export type { Orders } from './orders.ts'
export type { Categories } from './categories.ts'
export type { Events, EventsQuery, OrderEvent, PetEvent } from './events.ts'
export type { Keys } from './keys.ts'
export type { Invitations } from './invitations.ts'
export type { WebhookEndpoints } from './webhook-endpoints.ts'
export type { CountedPage, List, Page } from './list.ts'
export type { Hooks, RequestInfo, ResponseInfo, RetryInfo } from './hooks.ts'
export type { Warning } from './deprecation.ts'
export { etagOf, type EtagSource, type WithEtag } from './etag.ts'
export { responseOf } from './response-details.ts'
export type { Fetch, FetchedResponse, FetchInit, ResponseHeaders } from './runtime-types.ts'
export { version } from './version.ts'
export {
  type CallDetails,
  CallError,
  ConnectionError,
  type ErrorCode,
  isPetStoreError,
  PetStoreError,
  type ResponseDetails,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts'
export type {
  Category,
  BulkChange,
  BulkFilter,
  BulkForecast,
  BulkPetChange,
  BulkResult,
  CategoryInventory,
  CreatedInvitation,
  CreatedKey,
  CurrentInvitation,
  CreatedWebhook,
  Day,
  Delivery,
  EventType,
  ExportOrdersQuery,
  ExportPetsQuery,
  GetInventoryQuery,
  EarlierImport,
  Import,
  ImportResult,
  Int64,
  Inventory,
  Invitation,
  Key,
  KeyChange,
  KeyReplacement,
  ListCategoriesQuery,
  ListImportsQuery,
  ListDaysQuery,
  ListInvitationsQuery,
  ListOrdersQuery,
  ListPetsQuery,
  ListDeliveriesQuery,
  ListWebhooksQuery,
  NewCategory,
  NewInvitation,
  NewKey,
  NewOrder,
  NewPet,
  NewWebhook,
  Order,
  OrderChange,
  OrderStatus,
  Pet,
  PetChange,
  PetStatus,
  RefusedPet,
  RejectedRow,
  RotatedKey,
  RotatedWebhook,
  ShopEvent,
  UndoResult,
  Webhook,
  WebhookChange,
  WebhookFormat,
} from './contract.ts'
