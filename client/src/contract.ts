// Generated from openapi.json by codegen/generate.ts. Not for editing: run `npm run generate` in this package.

/** An integer of 64 bits: a number, or a bigint where a number would not be exact (beyond ±(2^53 − 1)). */
export type Int64 = number | bigint

/** Availability status of an animal. */
export type PetStatus = 'available' | 'pending' | 'sold'

/** An animal of the shop. `status` is absent if the animal has none. */
export interface Pet {
  /** Unique identifier, assigned by the service on creation and never used twice. */
  id: Int64
  /**
   * The animal's name: not empty, not only white space, no NUL. It has no length limit of its own; the body has 64 KiB.
   * Kept exactly as sent.
   */
  name: string
  /** Identifier of the category the animal belongs to. Any int64; no check that the category exists. */
  categoryId: Int64
  status?: PetStatus
}

/** An animal to add. Unknown members are ignored. */
export interface NewPet {
  /**
   * The animal's name: not empty, not only white space, no NUL. It has no length limit of its own; the body has 64 KiB.
   * Kept exactly as sent.
   */
  name: string
  /** Identifier of the category the animal belongs to. Any int64; no check that the category exists. */
  categoryId: Int64
  status?: PetStatus | undefined
}

/** The members to change. The others stay as they are; unknown members are ignored. */
export interface PetChange {
  /**
   * The animal's name: not empty, not only white space, no NUL. It has no length limit of its own; the body has 64 KiB.
   * Kept exactly as sent.
   */
  name?: string | undefined
  /** Identifier of the category the animal belongs to. Any int64; no check that the category exists. */
  categoryId?: Int64 | undefined
  /** Availability status of an animal; null removes it. */
  status?: PetStatus | null | undefined
}

/** What to do with which animals. */
export interface BulkChange {
  filter: BulkFilter
  change?: BulkPetChange | undefined
  /** Removes the animals. Either this or `change` is needed, not both. */
  delete?: true | undefined
  /** Changes nothing: the response says how many animals match, up to 10000. */
  dryRun?: true | undefined
  /**
   * Where the page starts. Opaque: `next` of the response before, for the same body, or `cursor` of a dry run with the
   * same filter.
   */
  cursor?: string | undefined
}

/**
 * Which animals: those that match all members. At least one is needed; unknown members are refused. None of them finds
 * the animals without a status: list these with `without=status` and send their `ids`.
 */
export interface BulkFilter {
  status?: PetStatus
  /** Identifier of the category the animal belongs to. Any int64; no check that the category exists. */
  categoryId?: Int64
  /**
   * Returns only animals whose name has these words: every word of the text is the beginning of a word of the name,
   * without regard to case and accents. Words are runs of letters and digits, compared by their first 100 characters; a
   * text without a word is refused. Only the words of the first 1,000 characters of the name count.
   */
  name?: string
  /** Only animals with one of these ids. An id that no animal has is not an error. */
  ids?: Int64[]
}

/** The members to change, at least one. Unknown members are refused. */
export interface BulkPetChange {
  /** Availability status of an animal; null removes it. */
  status?: PetStatus | null
  /** Identifier of the category the animal belongs to. Any int64; no check that the category exists. */
  categoryId?: Int64
}

/** What one call did or, with `dryRun`, how many animals match. */
export type BulkResponse = BulkResult | BulkForecast

/** What one call did. */
export interface BulkResult {
  /** How many animals were changed or removed. */
  changed: number
  /** How many had all these values already. */
  unchanged: number
  /** How many were refused. */
  refused: number
  /** The first 100 refused animals. */
  refusals: RefusedPet[]
  /** There may be more: send the same body again, with this as `cursor`. */
  next?: string
}

/** An animal that stays as it is. */
export interface RefusedPet {
  /** The animal. */
  id: Int64
  /** Why, in a sentence. */
  message: string
}

/** What a dry run has counted. */
export interface BulkForecast {
  /** How many animals match, up to 10000. */
  matching: number
  /** Whether more animals match, or may do so: a search that takes more than two seconds is not counted to its end. */
  more: boolean
  /**
   * Send it as `cursor` with the same filter: then only animals count, or are changed, that were there at this dry run.
   * It is refused if that state was lost with the database, as after a backup was restored.
   */
  cursor: string
}

/** What became of the rows of a file. */
export interface ImportResult {
  /**
   * Identifies the import that the file is a part of: the parameter or, without it, one that the service has made.
   * Absent in a dry run without the parameter.
   */
  importId?: string
  /** How many animals were added. */
  added: number
  /** How many rows were rejected. */
  rejected: number
  /** The first 100 rejected rows. */
  rejects: RejectedRow[]
  /** With `dry-run`: the names of the categories that would be made, in the order of the file. */
  newCategories?: string[]
  earlier?: EarlierImport
}

/** A row of a file that was not added. */
export interface RejectedRow {
  /** The line where the row begins, counted from 1. */
  line: number
  /** Why, in one or more sentences. */
  message: string
}

/**
 * Another import that has added the same animals before, is still listed and was not undone. Never the one whose
 * `importId` was sent: two parts of an import may have the same rows.
 */
export interface EarlierImport {
  /** Identifies the import. */
  importId: string
  /** When it began. */
  at: string
  /** The name of the key that began it, at that time. */
  keyname: string
}

/** Animals that were added from a file, with one request or several. */
export interface Import {
  /** The `importId` of its requests. */
  id: string
  /** When it began. */
  at: string
  /** The name of the key that began it, at that time. */
  keyname: string
  /** How many animals its requests have added so far. */
  added: number
  /** How many rows they have rejected. */
  rejected: number
  /** When it was undone. */
  undoneAt?: string
}

/** What one call did. */
export interface UndoResult {
  /** How many animals were removed. */
  removed: number
  /** How many stay, because they were changed or ordered since. */
  kept: number
  /** The first 100 that stay. */
  keeps: RefusedPet[]
  /** There may be more: send the request again, with this as `cursor`. */
  next?: string
}

/** Where an order stands: open (`placed`), or closed in one of two ways. */
export type OrderStatus = 'placed' | 'completed' | 'cancelled'

/** An order for one animal. `customer` and `note` are absent if the order has none, and in events. */
export interface Order {
  /** Unique identifier, never used twice. */
  id: Int64
  /** The animal that is ordered. */
  petId: Int64
  status: OrderStatus
  /** When the order was placed. */
  placedAt: string
  /** When its status last changed. */
  updatedAt: string
  /** Who the animal is for: 1 to 200 characters, not only white space, no NUL. Kept exactly as sent. */
  customer?: string
  /** A note about the order: 1 to 1000 characters, not only white space, no NUL. Kept exactly as sent. */
  note?: string
}

/** An order to place. Unknown members are ignored. */
export interface NewOrder {
  /** The animal that is ordered. */
  petId: Int64
  /** Who the animal is for: 1 to 200 characters, not only white space, no NUL. Kept exactly as sent. */
  customer?: string | undefined
  /** A note about the order: 1 to 1000 characters, not only white space, no NUL. Kept exactly as sent. */
  note?: string | undefined
}

/** The members to change. The others stay as they are; unknown members are ignored. */
export interface OrderChange {
  /** Closes an open order: `completed` makes the animal `sold`, `cancelled` makes it `available` again. */
  status?: 'completed' | 'cancelled' | undefined
  /** Who the animal is for; null removes it. */
  customer?: string | null | undefined
  /** A note about the order; null removes it. */
  note?: string | null | undefined
}

/** How many animals the shop has, all counted at the same moment. */
export interface Inventory {
  /** How many animals there are. */
  total: Int64
  /** How many animals are `available`. */
  available: Int64
  /** How many animals are `pending`. */
  pending: Int64
  /** How many animals are `sold`. */
  sold: Int64
  /** How many animals have no status. */
  none: Int64
  /**
   * A page of the categories that have animals, the largest first; if two are equal, the one with the lower id. With
   * `sort=id`, of all categories that have a name or animals, ascending by id. With `name`, of the categories with
   * these words, ascending by id, also without animals.
   */
  categories: CategoryInventory[]
  /** How many animals are in all categories together that this page does not have. */
  others: Int64
}

/** How many animals a category has. `name` is absent if the category has none. */
export interface CategoryInventory {
  /** The `categoryId` of the animals. */
  id: Int64
  /** The name of the category: 1 to 1000 characters, not only white space, no NUL. Kept exactly as sent. */
  name?: string
  /** How many animals the category has. */
  total: Int64
  /** How many animals are `available`. */
  available: Int64
  /** How many animals are `pending`. */
  pending: Int64
  /** How many animals are `sold`. */
  sold: Int64
  /** How many animals have no status. */
  none: Int64
}

/** What happened in the shop on one day. */
export interface Day {
  /** The day, in UTC. */
  date: string
  /** How many animals were added. */
  added: Int64
  /** How many animals were removed. */
  removed: Int64
  /** How many orders were placed. */
  ordered: Int64
  /** How many orders were completed: their animals were sold. */
  completed: Int64
  /** How many orders were cancelled. */
  cancelled: Int64
}

/** A category that was given a name. Animals may belong to categories without one. */
export interface Category {
  /** What `categoryId` of an animal refers to. */
  id: Int64
  /** The name of the category: 1 to 1000 characters, not only white space, no NUL. Kept exactly as sent. */
  name: string
}

/** The name for a category. Unknown members are ignored. */
export interface NewCategory {
  /** The name of the category: 1 to 1000 characters, not only white space, no NUL. Kept exactly as sent. */
  name: string
}

/** A change in the shop, as a CloudEvent 1.0. `type` says which. */
export type ShopEvent =
  | PetCreatedEvent
  | PetUpdatedEvent
  | PetDeletedEvent
  | OrderPlacedEvent
  | OrderCompletedEvent
  | OrderCancelledEvent

/** An animal was added; `data` is the animal. */
export interface PetCreatedEvent {
  /** The version of CloudEvents. */
  specversion: '1.0'
  /**
   * The id of the event, at most 64 characters. `source` and `id` together belong to one event for ever, also after a
   * backup was restored. Opaque. Send it as `after` to get the next events.
   */
  id: string
  /** The base address of the service. */
  source: string
  /** What happened. */
  type: 'petstore.pet.created'
  /** The path of the animal or the order, below the base address. */
  subject: string
  /** When. */
  time: string
  /** What `data` is. */
  datacontenttype: string
  /**
   * The number of the event, without gaps, with leading zeros: 19 digits, so that texts are in the order of the events
   * (an extension of CloudEvents). After a backup was restored, numbers are given again.
   */
  sequence: string
  /** The id of the API key that made the change; absent if it was made on the command line. */
  keyid?: string
  /** The name of that key at the time of the change, or `command line`; absent if it is not known. */
  keyname?: string
  /** The `X-Request-Id` of the request that made the change. */
  requestid?: string
  data: Pet
}

/** An animal was changed; `data` is the animal after the change. */
export interface PetUpdatedEvent {
  /** The version of CloudEvents. */
  specversion: '1.0'
  /**
   * The id of the event, at most 64 characters. `source` and `id` together belong to one event for ever, also after a
   * backup was restored. Opaque. Send it as `after` to get the next events.
   */
  id: string
  /** The base address of the service. */
  source: string
  /** What happened. */
  type: 'petstore.pet.updated'
  /** The path of the animal or the order, below the base address. */
  subject: string
  /** When. */
  time: string
  /** What `data` is. */
  datacontenttype: string
  /**
   * The number of the event, without gaps, with leading zeros: 19 digits, so that texts are in the order of the events
   * (an extension of CloudEvents). After a backup was restored, numbers are given again.
   */
  sequence: string
  /** The id of the API key that made the change; absent if it was made on the command line. */
  keyid?: string
  /** The name of that key at the time of the change, or `command line`; absent if it is not known. */
  keyname?: string
  /** The `X-Request-Id` of the request that made the change. */
  requestid?: string
  data: Pet
}

/** An animal was removed; `data` is the animal as it was before. */
export interface PetDeletedEvent {
  /** The version of CloudEvents. */
  specversion: '1.0'
  /**
   * The id of the event, at most 64 characters. `source` and `id` together belong to one event for ever, also after a
   * backup was restored. Opaque. Send it as `after` to get the next events.
   */
  id: string
  /** The base address of the service. */
  source: string
  /** What happened. */
  type: 'petstore.pet.deleted'
  /** The path of the animal or the order, below the base address. */
  subject: string
  /** When. */
  time: string
  /** What `data` is. */
  datacontenttype: string
  /**
   * The number of the event, without gaps, with leading zeros: 19 digits, so that texts are in the order of the events
   * (an extension of CloudEvents). After a backup was restored, numbers are given again.
   */
  sequence: string
  /** The id of the API key that made the change; absent if it was made on the command line. */
  keyid?: string
  /** The name of that key at the time of the change, or `command line`; absent if it is not known. */
  keyname?: string
  /** The `X-Request-Id` of the request that made the change. */
  requestid?: string
  data: Pet
}

/** An order was placed; `data` is the order, without `customer` and `note`. */
export interface OrderPlacedEvent {
  /** The version of CloudEvents. */
  specversion: '1.0'
  /**
   * The id of the event, at most 64 characters. `source` and `id` together belong to one event for ever, also after a
   * backup was restored. Opaque. Send it as `after` to get the next events.
   */
  id: string
  /** The base address of the service. */
  source: string
  /** What happened. */
  type: 'petstore.order.placed'
  /** The path of the animal or the order, below the base address. */
  subject: string
  /** When. */
  time: string
  /** What `data` is. */
  datacontenttype: string
  /**
   * The number of the event, without gaps, with leading zeros: 19 digits, so that texts are in the order of the events
   * (an extension of CloudEvents). After a backup was restored, numbers are given again.
   */
  sequence: string
  /** The id of the API key that made the change; absent if it was made on the command line. */
  keyid?: string
  /** The name of that key at the time of the change, or `command line`; absent if it is not known. */
  keyname?: string
  /** The `X-Request-Id` of the request that made the change. */
  requestid?: string
  data: Order
}

/** An order was completed; `data` is the order after the change, without `customer` and `note`. */
export interface OrderCompletedEvent {
  /** The version of CloudEvents. */
  specversion: '1.0'
  /**
   * The id of the event, at most 64 characters. `source` and `id` together belong to one event for ever, also after a
   * backup was restored. Opaque. Send it as `after` to get the next events.
   */
  id: string
  /** The base address of the service. */
  source: string
  /** What happened. */
  type: 'petstore.order.completed'
  /** The path of the animal or the order, below the base address. */
  subject: string
  /** When. */
  time: string
  /** What `data` is. */
  datacontenttype: string
  /**
   * The number of the event, without gaps, with leading zeros: 19 digits, so that texts are in the order of the events
   * (an extension of CloudEvents). After a backup was restored, numbers are given again.
   */
  sequence: string
  /** The id of the API key that made the change; absent if it was made on the command line. */
  keyid?: string
  /** The name of that key at the time of the change, or `command line`; absent if it is not known. */
  keyname?: string
  /** The `X-Request-Id` of the request that made the change. */
  requestid?: string
  data: Order
}

/** An order was cancelled; `data` is the order after the change, without `customer` and `note`. */
export interface OrderCancelledEvent {
  /** The version of CloudEvents. */
  specversion: '1.0'
  /**
   * The id of the event, at most 64 characters. `source` and `id` together belong to one event for ever, also after a
   * backup was restored. Opaque. Send it as `after` to get the next events.
   */
  id: string
  /** The base address of the service. */
  source: string
  /** What happened. */
  type: 'petstore.order.cancelled'
  /** The path of the animal or the order, below the base address. */
  subject: string
  /** When. */
  time: string
  /** What `data` is. */
  datacontenttype: string
  /**
   * The number of the event, without gaps, with leading zeros: 19 digits, so that texts are in the order of the events
   * (an extension of CloudEvents). After a backup was restored, numbers are given again.
   */
  sequence: string
  /** The id of the API key that made the change; absent if it was made on the command line. */
  keyid?: string
  /** The name of that key at the time of the change, or `command line`; absent if it is not known. */
  keyname?: string
  /** The `X-Request-Id` of the request that made the change. */
  requestid?: string
  data: Order
}

/** An API key without its secret, which the service does not have. */
export interface Key {
  /** Identifies the key. It may be shown and logged. */
  id: string
  /** Who or what uses the key. */
  name: string
  /** What a key may do: `read`, or also `write`, or also manage keys (`admin`). */
  permission: 'read' | 'write' | 'admin'
  /** Whether the key works, and if not, why. */
  state: 'active' | 'expired' | 'revoked'
  /** When the key was made. */
  createdAt: string
  /** When the key expires. Without it, never. */
  expiresAt?: string
  /** When the key was revoked. */
  revokedAt?: string
  /** When the key was last used. It may be some seconds late. */
  lastUsedAt?: string
  /** The id of the key that the last rotation made in its place. */
  replacedBy?: string
}

/** A key to make. Unknown members are ignored. */
export interface NewKey {
  /** Who or what uses the key: 1 to 100 characters, not only white space, no NUL. Two keys may share a name. */
  name: string
  /** What a key may do: `read`, or also `write`, or also manage keys (`admin`). */
  permission?: 'read' | 'write' | 'admin' | undefined
  /** When the key expires: a time to come. Without it, never. */
  expiresAt?: string | undefined
}

/** A new key, with its secret. */
export interface CreatedKey {
  /** Identifies the key. It may be shown and logged. */
  id: string
  /** Who or what uses the key. */
  name: string
  /** What a key may do: `read`, or also `write`, or also manage keys (`admin`). */
  permission: 'read' | 'write' | 'admin'
  /** Whether the key works, and if not, why. */
  state: 'active' | 'expired' | 'revoked'
  /** When the key was made. */
  createdAt: string
  /** When the key expires. Without it, never. */
  expiresAt?: string
  /** When the key was revoked. */
  revokedAt?: string
  /** When the key was last used. It may be some seconds late. */
  lastUsedAt?: string
  /** The id of the key that the last rotation made in its place. */
  replacedBy?: string
  /** The key itself, to be sent as a bearer token. It is in this response only. */
  key: string
}

/** The new name of a key. Unknown members are ignored. */
export interface KeyChange {
  /** Who or what uses the key: 1 to 100 characters, not only white space, no NUL. Two keys may share a name. */
  name: string
}

/** How a key is replaced. Unknown members are ignored. */
export interface KeyReplacement {
  /** The old key works until this time, which is to come, unless it expires earlier. Default: 24 hours from now. */
  replacedKeyExpiresAt?: string | undefined
  /** When the new key expires: a time to come. Default: when the old one would have. */
  expiresAt?: string | undefined
}

/** The new key of a rotation, with its secret, and when the old one ends. */
export interface RotatedKey {
  /** Identifies the key. It may be shown and logged. */
  id: string
  /** Who or what uses the key. */
  name: string
  /** What a key may do: `read`, or also `write`, or also manage keys (`admin`). */
  permission: 'read' | 'write' | 'admin'
  /** Whether the key works, and if not, why. */
  state: 'active' | 'expired' | 'revoked'
  /** When the key was made. */
  createdAt: string
  /** When the key expires. Without it, never. */
  expiresAt?: string
  /** When the key was revoked. */
  revokedAt?: string
  /** When the key was last used. It may be some seconds late. */
  lastUsedAt?: string
  /** The id of the key that the last rotation made in its place. */
  replacedBy?: string
  /** The key itself, to be sent as a bearer token. It is in this response only. */
  key: string
  /** The id of the old key. */
  replaces: string
  /** When the old key stops working. */
  replacedKeyExpiresAt: string
}

/** An invitation without its token, which the service does not have. */
export interface Invitation {
  /** Unique identifier, never used twice. */
  id: Int64
  /** Who is invited. Their key gets this name. */
  name: string
  /** What a key may do: `read`, or also `write`, or also manage keys (`admin`). */
  permission: 'read' | 'write' | 'admin'
  /**
   * Whether the invitation works. `ended`: it has expired, or the key that made it has, or was revoked. An invitation
   * that was used is not there any more: its key is.
   */
  state: 'open' | 'ended'
  /** The id of the key that made the invitation. Absent if it was made on the command line. */
  invitedBy?: string
  /** When the invitation was made. */
  createdAt: string
  /** When the invitation ends. */
  expiresAt: string
}

/** An invitation to make. Unknown members are ignored. */
export interface NewInvitation {
  /** Who is invited; their key gets this name: 1 to 100 characters, not only white space, no NUL. */
  name: string
  /** What a key may do: `read`, or also `write`, or also manage keys (`admin`). */
  permission: 'read' | 'write' | 'admin'
  /** When the invitation ends: a time to come, at most 24 hours from now, which is the default. */
  expiresAt?: string | undefined
}

/** A new invitation, with its token. */
export interface CreatedInvitation {
  /** Unique identifier, never used twice. */
  id: Int64
  /** Who is invited. Their key gets this name. */
  name: string
  /** What a key may do: `read`, or also `write`, or also manage keys (`admin`). */
  permission: 'read' | 'write' | 'admin'
  /**
   * Whether the invitation works. `ended`: it has expired, or the key that made it has, or was revoked. An invitation
   * that was used is not there any more: its key is.
   */
  state: 'open' | 'ended'
  /** The id of the key that made the invitation. Absent if it was made on the command line. */
  invitedBy?: string
  /** When the invitation was made. */
  createdAt: string
  /** When the invitation ends. */
  expiresAt: string
  /** The token that `POST /invitations/redeem` exchanges for a key. It is in this response only. */
  token: string
  /** The address to send to whom is invited: the console, with the token in the fragment. */
  link: string
}

/** What an invitation says to whom is invited. */
export interface CurrentInvitation {
  /** Who is invited. Their key gets this name. */
  name: string
  /** What a key may do: `read`, or also `write`, or also manage keys (`admin`). */
  permission: 'read' | 'write' | 'admin'
  /**
   * The name of the key that made the invitation: `PETSTORE_API_KEY` for that of the settings, `command line` if there
   * was none.
   */
  invitedBy: string
  /** When the invitation ends. */
  expiresAt: string
}

/** An address that events are sent to, without its secret. */
export interface Webhook {
  /** Unique identifier, never used twice. */
  id: Int64
  /** Where events are sent. */
  url: string
  /** Only events of these types are sent. Absent: events of all types. */
  types?: EventType[]
  /** What the webhook is for: 1 to 1000 characters, not only white space, no NUL. Kept exactly as sent. */
  description?: string
  format: WebhookFormat
  /** Whether events are sent. */
  enabled: boolean
  /** When the webhook was made. */
  createdAt: string
  /** When the webhook was disabled. Absent while it is enabled. */
  disabledAt?: string
  /**
   * Why the webhook is disabled. `requested`: somebody did it. `gone`: its address responded with 410. `failed`: for
   * three days its address took no event. `restored`, `copied`: the database comes from a backup or from another
   * database. Absent while it is enabled.
   */
  disabledReason?: 'requested' | 'gone' | 'failed' | 'restored' | 'copied'
  /**
   * Since when the next event of the webhook fails: when the first try of it was made. Only `GET /webhooks` has it,
   * within some seconds. Absent if the webhook takes its events, has none yet, or is disabled.
   */
  failingSince?: string
  /**
   * Since when the service sends no events, for a reason of its own, to any webhook. Only `GET /webhooks` has it, for
   * enabled webhooks, some seconds after it begins. Events are sent later, in order.
   */
  stalledSince?: string
  /**
   * Why the service sends no events. `storage`: events cannot be read, or deliveries not be stored. `thread`: the part
   * that sends them does not respond. `unattended`: no process sends them. Absent without `stalledSince`.
   */
  stalledReason?: 'storage' | 'thread' | 'unattended'
}

/** The type of an event. */
export type EventType =
  | 'petstore.pet.created'
  | 'petstore.pet.updated'
  | 'petstore.pet.deleted'
  | 'petstore.order.placed'
  | 'petstore.order.completed'
  | 'petstore.order.cancelled'

/**
 * The media type of what is sent. `json`: `application/json`. `cloudevents`: `application/cloudevents+json`, by which
 * CloudEvents SDKs know an event (structured mode). The body is the same. A new webhook has `json` unless it says
 * otherwise.
 */
export type WebhookFormat = 'json' | 'cloudevents'

/** A webhook to make. Unknown members are ignored. */
export interface NewWebhook {
  /**
   * Where events are sent with POST: an absolute `https` or `http` address of at most 2,048 characters, without user
   * name, password and fragment. An address that is not public, and a host name that there can never be, is refused.
   */
  url: string
  /** Only events of these types are sent. Absent: events of all types. */
  types?: EventType[] | undefined
  /** What the webhook is for: 1 to 1000 characters, not only white space, no NUL. Kept exactly as sent. */
  description?: string | undefined
  format?: WebhookFormat | undefined
}

/** A new webhook, with its secret. */
export interface CreatedWebhook {
  /** Unique identifier, never used twice. */
  id: Int64
  /** Where events are sent. */
  url: string
  /** Only events of these types are sent. Absent: events of all types. */
  types?: EventType[]
  /** What the webhook is for: 1 to 1000 characters, not only white space, no NUL. Kept exactly as sent. */
  description?: string
  format: WebhookFormat
  /** Whether events are sent. */
  enabled: boolean
  /** When the webhook was made. */
  createdAt: string
  /** When the webhook was disabled. Absent while it is enabled. */
  disabledAt?: string
  /**
   * Why the webhook is disabled. `requested`: somebody did it. `gone`: its address responded with 410. `failed`: for
   * three days its address took no event. `restored`, `copied`: the database comes from a backup or from another
   * database. Absent while it is enabled.
   */
  disabledReason?: 'requested' | 'gone' | 'failed' | 'restored' | 'copied'
  /**
   * Signs every delivery (Standard Webhooks 1.0.0): `whsec_` and 32 random bytes in base64. It is in this response
   * only.
   */
  secret: string
}

/** The members to change. The others stay as they are; unknown members are ignored. */
export interface WebhookChange {
  /**
   * Where events are sent with POST: an absolute `https` or `http` address of at most 2,048 characters, without user
   * name, password and fragment. An address that is not public, and a host name that there can never be, is refused.
   */
  url?: string | undefined
  /** The types of events that are sent; null means all. */
  types?: EventType[] | null | undefined
  /** What the webhook is for; null removes it. */
  description?: string | null | undefined
  format?: WebhookFormat | undefined
  /**
   * Whether events are sent. A webhook that is enabled again gets the events from then on: read those of the meantime
   * with `GET /events`.
   */
  enabled?: boolean | undefined
}

/** A webhook with its new secret, and when the previous one ends. */
export interface RotatedWebhook {
  /** Unique identifier, never used twice. */
  id: Int64
  /** Where events are sent. */
  url: string
  /** Only events of these types are sent. Absent: events of all types. */
  types?: EventType[]
  /** What the webhook is for: 1 to 1000 characters, not only white space, no NUL. Kept exactly as sent. */
  description?: string
  format: WebhookFormat
  /** Whether events are sent. */
  enabled: boolean
  /** When the webhook was made. */
  createdAt: string
  /** When the webhook was disabled. Absent while it is enabled. */
  disabledAt?: string
  /**
   * Why the webhook is disabled. `requested`: somebody did it. `gone`: its address responded with 410. `failed`: for
   * three days its address took no event. `restored`, `copied`: the database comes from a backup or from another
   * database. Absent while it is enabled.
   */
  disabledReason?: 'requested' | 'gone' | 'failed' | 'restored' | 'copied'
  /**
   * Signs every delivery (Standard Webhooks 1.0.0): `whsec_` and 32 random bytes in base64. It is in this response
   * only.
   */
  secret: string
  /** Until then deliveries are also signed with the previous secret. */
  previousSecretExpiresAt: string
}

/** One try to send an event, or a test, to a webhook. */
export interface Delivery {
  /** Unique identifier of the try; later ones have higher ids. */
  id: Int64
  /** The webhook. */
  webhookId: Int64
  /** The `id` of the event, which is its `webhook-id`. Absent for a test. */
  eventId?: string
  /** The type of the event, or `petstore.webhook.test`. */
  type: string
  /** When the try began. */
  time: string
  /** Which try of the event it was. 1 if somebody asked for it. */
  attempt: number
  /** The status of the response: 2xx is a success. Absent if there was no response. */
  status?: number
  /** How long the try took, in milliseconds. */
  durationMs: number
  /** Why there was no response. For people: its wording may change. */
  error?: string
  /** The first 1,024 bytes of the body of the response, as text. */
  responseStart?: string
  /** When the event is sent again. Absent after a success, and if somebody asked for the try. */
  nextAttemptAt?: string
}

/** The body of every response with a status of 400 or more. */
export interface ErrorBody {
  /** Machine-readable error code. */
  code:
    | 'invalid_parameter'
    | 'invalid_body'
    | 'invalid_request'
    | 'unauthorized'
    | 'forbidden'
    | 'not_found'
    | 'method_not_allowed'
    | 'request_timeout'
    | 'conflict'
    | 'gone'
    | 'precondition_failed'
    | 'payload_too_large'
    | 'uri_too_long'
    | 'unsupported_media_type'
    | 'expectation_failed'
    | 'idempotency_mismatch'
    | 'rate_limited'
    | 'headers_too_large'
    | 'internal'
    | 'unavailable'
  /** Human-readable description. */
  message: string
  /** The HTTP status code. */
  status: number
}

/** A test of a webhook, which an admin asked for. Nothing has happened in the shop. */
export interface WebhookTestEvent {
  /** The version of CloudEvents. */
  specversion: '1.0'
  /** Unique; it is no event of the feed. */
  id: string
  /** The base address of the service. */
  source: string
  /** That it is a test. */
  type: 'petstore.webhook.test'
  /** When. */
  time: string
}

/** List animals: what may be asked for. */
export interface ListPetsQuery {
  /** Maximum number of animals returned. */
  limit?: number | undefined
  /** Returns only animals with this status. */
  status?: PetStatus | undefined
  /** Returns only animals that have no status. Send either this or `status`: both together are refused. */
  without?: 'status' | undefined
  /** Returns only animals of this category. */
  categoryId?: Int64 | undefined
  /** Returns only the animal with this id: the way to read one animal once getPet is gone. */
  id?: Int64 | undefined
  /**
   * Returns only the animals with these ids: up to 100, separated by commas. An id that no animal has is not an error.
   * The order of the ids has no meaning.
   */
  ids?: string | undefined
  /**
   * Returns only animals whose name has these words: every word of the text is the beginning of a word of the name,
   * without regard to case and accents. Words are runs of letters and digits, compared by their first 100 characters; a
   * text without a word is refused. Only the words of the first 1,000 characters of the name count.
   */
  name?: string | undefined
  /**
   * Returns only animals that this import has added, as long as it is listed by `GET /pets/imports`. The order is by
   * id: another `sort` is refused. A page may be short, or empty, and yet have a next one.
   */
  importId?: string | undefined
  /**
   * The order of the list: `id`, which is the default, or `-id`, the newest first. Or `name`, by the words of the name
   * as the filter `name` compares them: their first 64 characters by code point, equal ones by id; `-name` is the
   * reverse. A sort by name is for filters that at most 20000 animals match; otherwise it is refused. A search is not:
   * its pages may be short, or empty.
   */
  sort?: 'id' | '-id' | 'name' | '-name' | undefined
  /** Where the page starts. Opaque: take it from the `Link` header of the page before. */
  cursor?: string | undefined
}

/** Add the animals of a file: what may be asked for. */
export interface ImportPetsQuery {
  /**
   * Groups the requests of one import, such as the parts of a large file, so that all their animals can be listed and
   * removed together (`undoImport`). The client makes it: 1 to 64 letters, digits, `_` and `-`. It belongs to the key
   * that uses it first. Without it the service makes one for this request.
   */
  importId?: string | undefined
  /**
   * With `all-or-nothing` no animal is added if one row is rejected, or if the upload ends early. Such a file may have
   * up to 50000 animals, and 2 Mi characters in their names.
   */
  mode?: 'all-or-nothing' | undefined
  /**
   * With `true`, categories that the file names and the shop lacks are made, each once and together with its first
   * animals, up to 1000 in an import. Otherwise their rows are rejected.
   */
  'create-categories'?: boolean | undefined
  /**
   * With `true` nothing is stored: the response says what the import would do, with `newCategories`, and with `earlier`
   * if another import has added the same animals before and was not undone. An `Idempotency-Key` is not used, and may
   * be sent again with the import itself.
   */
  'dry-run'?: boolean | undefined
}

/** Read all animals as a file: what may be asked for. */
export interface ExportPetsQuery {
  /** The format of the file. `spreadsheet` and `separator` are refused with `ndjson`. */
  format?: 'csv' | 'ndjson' | undefined
  /**
   * With `true`, for people: a CSV file begins with a byte order mark, so that spreadsheets know its encoding, and has
   * a last column `categoryName`, which is empty if the category has no name. Not with `format=ndjson`.
   */
  spreadsheet?: boolean | undefined
  /** What separates the columns of a CSV file; comma by default. Not with `format=ndjson`. */
  separator?: 'comma' | 'semicolon' | 'tab' | undefined
  /** Returns only animals with this status. */
  status?: PetStatus | undefined
  /** Returns only animals that have no status. Send either this or `status`: both together are refused. */
  without?: 'status' | undefined
  /** Returns only animals of this category. */
  categoryId?: Int64 | undefined
  /** Returns only the animal with this id: the way to read one animal once getPet is gone. */
  id?: Int64 | undefined
  /**
   * Returns only the animals with these ids: up to 100, separated by commas. An id that no animal has is not an error.
   * The order of the ids has no meaning.
   */
  ids?: string | undefined
  /**
   * Returns only animals whose name has these words: every word of the text is the beginning of a word of the name,
   * without regard to case and accents. Words are runs of letters and digits, compared by their first 100 characters; a
   * text without a word is refused. Only the words of the first 1,000 characters of the name count.
   */
  name?: string | undefined
  /**
   * Returns only animals that this import has added, as long as it is listed by `GET /pets/imports`. The order is by
   * id: another `sort` is refused. A page may be short, or empty, and yet have a next one.
   */
  importId?: string | undefined
}

/** List imports: what may be asked for. */
export interface ListImportsQuery {
  /** Maximum number of imports returned. */
  limit?: number | undefined
  /** Where the page starts. Opaque: take it from the `Link` header of the page before. */
  cursor?: string | undefined
}

/** Undo an import: what may be asked for. */
export interface UndoImportQuery {
  /** Where the page starts. Opaque: `next` of the response before. */
  cursor?: string | undefined
}

/** List orders: what may be asked for. */
export interface ListOrdersQuery {
  /** Maximum number of orders returned. */
  limit?: number | undefined
  /** Returns only orders with this status. */
  status?: OrderStatus | undefined
  /** Returns only orders for this animal. */
  petId?: Int64 | undefined
  /**
   * Returns only orders whose customer has these words: every word of the text is the beginning of a word of the
   * customer, without regard to case and accents. Words are runs of letters and digits, compared by their first 100
   * characters; a text without a word is refused. A request looks through up to 20000 orders: its page may be short, or
   * empty, and yet have a next one.
   */
  customer?: string | undefined
  /**
   * Returns only orders whose animal’s name has these words: every word of the text is the beginning of a word of the
   * animal’s name, without regard to case and accents. Words are runs of letters and digits, compared by their first
   * 100 characters; a text without a word is refused. A request looks through up to 20000 orders: its page may be
   * short, or empty, and yet have a next one.
   */
  petName?: string | undefined
  /** The order of the list: `id`, which is the default, or `-id`, the newest first. */
  sort?: 'id' | '-id' | undefined
  /** Where the page starts. Opaque: take it from the `Link` header of the page before. */
  cursor?: string | undefined
}

/** Read all orders as a file: what may be asked for. */
export interface ExportOrdersQuery {
  /** The format of the file. `spreadsheet` and `separator` are refused with `ndjson`. */
  format?: 'csv' | 'ndjson' | undefined
  /**
   * With `true`, for people: a CSV file begins with a byte order mark, so that spreadsheets know its encoding. Not with
   * `format=ndjson`.
   */
  spreadsheet?: boolean | undefined
  /** What separates the columns of a CSV file; comma by default. Not with `format=ndjson`. */
  separator?: 'comma' | 'semicolon' | 'tab' | undefined
  /** Returns only orders with this status. */
  status?: OrderStatus | undefined
  /** Returns only orders for this animal. */
  petId?: Int64 | undefined
  /**
   * Returns only orders whose customer has these words: every word of the text is the beginning of a word of the
   * customer, without regard to case and accents. Words are runs of letters and digits, compared by their first 100
   * characters; a text without a word is refused. A request looks through up to 20000 orders: its page may be short, or
   * empty, and yet have a next one.
   */
  customer?: string | undefined
  /**
   * Returns only orders whose animal’s name has these words: every word of the text is the beginning of a word of the
   * animal’s name, without regard to case and accents. Words are runs of letters and digits, compared by their first
   * 100 characters; a text without a word is refused. A request looks through up to 20000 orders: its page may be
   * short, or empty, and yet have a next one.
   */
  petName?: string | undefined
}

/** Count the animals: what may be asked for. */
export interface GetInventoryQuery {
  /** Maximum number of categories returned. */
  limit?: number | undefined
  /**
   * Returns only categories whose name has these words: every word of the text is the beginning of a word of the name,
   * without regard to case and accents. Words are runs of letters and digits, compared by their first 100 characters; a
   * text without a word is refused. Only the words of the first 1,000 characters of the name count.
   */
  name?: string | undefined
  /**
   * `id`: all categories that have a name or animals, ascending by id. Without it, those with animals, the largest
   * first.
   */
  sort?: 'id' | undefined
  /** Where the page starts. Opaque: take it from the `Link` header of the page before. */
  cursor?: string | undefined
}

/** Count what happened on each day: what may be asked for. */
export interface ListDaysQuery {
  /** The first day, such as 2026-01-05. Default: so that there are 30 days. */
  from?: string | undefined
  /** The last day. Default: today. There are at most 366 days. */
  to?: string | undefined
}

/** List categories: what may be asked for. */
export interface ListCategoriesQuery {
  /** Maximum number of categories returned. */
  limit?: number | undefined
  /**
   * Returns only categories whose name has these words: every word of the text is the beginning of a word of the name,
   * without regard to case and accents. Words are runs of letters and digits, compared by their first 100 characters; a
   * text without a word is refused. Only the words of the first 1,000 characters of the name count.
   */
  name?: string | undefined
  /** Where the page starts. Opaque: take it from the `Link` header of the page before. */
  cursor?: string | undefined
}

/** Follow what happens: what may be asked for. */
export interface ListEventsQuery {
  /** Maximum number of events returned. */
  limit?: number | undefined
  /**
   * The order of the list: `id`, which is the default, or `-id`, the newest first. With `-id`, `after` continues with
   * older events. Not for a stream.
   */
  sort?: 'id' | '-id' | undefined
  /**
   * Returns only the events of the animal with this id, and of its orders, which change its status. Not for a stream.
   */
  petId?: Int64 | undefined
  /** Returns only the events of the order with this id. Not together with `petId`, and not for a stream. */
  orderId?: Int64 | undefined
  /**
   * Returns only events of this type. A request looks through 5,000 events: a page may be short, or empty, and yet have
   * a next one. Not for a stream.
   */
  type?:
    | 'petstore.pet.created'
    | 'petstore.pet.updated'
    | 'petstore.pet.deleted'
    | 'petstore.order.placed'
    | 'petstore.order.completed'
    | 'petstore.order.cancelled'
    | undefined
  /**
   * Returns only changes that were made with this API key. A request looks through 5,000 events: a page may be short,
   * or empty, and yet have a next one. Not for a stream.
   */
  keyid?: string | undefined
  /**
   * Returns only events of this time or later. Times are those of the services that made the changes. A request looks
   * through 5,000 events: a page may be short, or empty, and yet have a next one. Not for a stream.
   */
  from?: string | undefined
  /**
   * Returns only events before this time. It must be later than `from`. A request looks through 5,000 events: a page
   * may be short, or empty, and yet have a next one. Not for a stream.
   */
  to?: string | undefined
  /**
   * Returns only events after the one with this id; 0 for all. It is the `id` of an event, also of a stream, or an
   * `Event-Position`. It names the history of the database: a position that was lost, for example by a restored backup,
   * is refused. Opaque: send it back as it is. The bare number of an event is accepted too, but nobody can tell whether
   * it was lost.
   */
  after?: string | undefined
}

/** List invitations: what may be asked for. */
export interface ListInvitationsQuery {
  /** Maximum number of invitations returned. */
  limit?: number | undefined
  /** Where the page starts. Opaque: take it from the `Link` header of the page before. */
  cursor?: string | undefined
}

/** List webhooks: what may be asked for. */
export interface ListWebhooksQuery {
  /** Maximum number of webhooks returned. */
  limit?: number | undefined
  /** Where the page starts. Opaque: take it from the `Link` header of the page before. */
  cursor?: string | undefined
}

/** List what was sent to a webhook: what may be asked for. */
export interface ListDeliveriesQuery {
  /** Maximum number of tries returned. */
  limit?: number | undefined
  /** Where the page starts. Opaque: take it from the `Link` header of the page before. */
  cursor?: string | undefined
}

/** The members that a resource always has; # marks an integer. */
const required: Record<string, string> = {
  Pet: 'id# name categoryId#',
  BulkResponse: '',
  ImportResult: 'added# rejected# rejects',
  Import: 'id at keyname added# rejected#',
  UndoResult: 'removed# kept# keeps',
  Order: 'id# petId# status placedAt updatedAt',
  Inventory: 'total# available# pending# sold# none# categories others#',
  Day: 'date added# removed# ordered# completed# cancelled#',
  Category: 'id# name',
  ShopEvent: 'specversion id source type subject time datacontenttype sequence data',
  Key: 'id name permission state createdAt',
  CreatedKey: 'id name permission state createdAt key',
  RotatedKey: 'id name permission state createdAt key replaces replacedKeyExpiresAt',
  Invitation: 'id# name permission state createdAt expiresAt',
  CreatedInvitation: 'id# name permission state createdAt expiresAt token link',
  CurrentInvitation: 'name permission invitedBy expiresAt',
  Webhook: 'id# url format enabled createdAt',
  CreatedWebhook: 'id# url format enabled createdAt secret',
  RotatedWebhook: 'id# url format enabled createdAt secret previousSecretExpiresAt',
  Delivery: 'id# webhookId# type time attempt# durationMs#',
}

/** Method, path below the base address, and result. Short, because browsers load it. */
const table = {
  listPets: 'GET /pets Pet',
  createPet: 'POST /pets Pet',
  getPet: 'GET /pets/{petId} Pet',
  updatePet: 'PATCH /pets/{petId} Pet',
  deletePet: 'DELETE /pets/{petId}',
  bulkChangePets: 'POST /pets/bulk BulkResponse',
  importPets: 'POST /pets/import ImportResult',
  exportPets: 'GET /pets/export',
  listImports: 'GET /pets/imports Import',
  undoImport: 'POST /pets/imports/{importId}/undo UndoResult',
  listOrders: 'GET /store/orders Order',
  placeOrder: 'POST /store/orders Order',
  getOrder: 'GET /store/orders/{orderId} Order',
  updateOrder: 'PATCH /store/orders/{orderId} Order',
  exportOrders: 'GET /store/orders/export',
  getInventory: 'GET /store/inventory Inventory',
  listDays: 'GET /store/days Day',
  listCategories: 'GET /categories Category',
  createCategory: 'POST /categories Category',
  getCategory: 'GET /categories/{categoryId} Category',
  putCategory: 'PUT /categories/{categoryId} Category',
  deleteCategory: 'DELETE /categories/{categoryId}',
  listEvents: 'GET /events ShopEvent',
  listKeys: 'GET /keys Key',
  createKey: 'POST /keys CreatedKey',
  getKey: 'GET /keys/{keyId} Key',
  updateKey: 'PATCH /keys/{keyId} Key',
  revokeKey: 'POST /keys/{keyId}/revoke Key',
  rotateKey: 'POST /keys/{keyId}/rotate RotatedKey',
  listInvitations: 'GET /invitations Invitation',
  createInvitation: 'POST /invitations CreatedInvitation',
  getInvitation: 'GET /invitations/{invitationId} Invitation',
  deleteInvitation: 'DELETE /invitations/{invitationId}',
  getCurrentInvitation: 'GET /invitations/current CurrentInvitation',
  redeemInvitation: 'POST /invitations/redeem CreatedKey',
  listWebhooks: 'GET /webhooks Webhook',
  createWebhook: 'POST /webhooks CreatedWebhook',
  getWebhook: 'GET /webhooks/{webhookId} Webhook',
  updateWebhook: 'PATCH /webhooks/{webhookId} Webhook',
  deleteWebhook: 'DELETE /webhooks/{webhookId}',
  rotateWebhook: 'POST /webhooks/{webhookId}/rotate RotatedWebhook',
  testWebhook: 'POST /webhooks/{webhookId}/test Delivery',
  listDeliveries: 'GET /webhooks/{webhookId}/deliveries Delivery',
  resendDelivery: 'POST /webhooks/{webhookId}/deliveries/{deliveryId}/resend Delivery',
} as const

export type OperationId = keyof typeof table

export interface Operation {
  id: string
  method: string
  path: string
  result: readonly string[] | undefined
}

/** Every operation of the service. */
export const operations = Object.fromEntries(
  Object.entries(table).map(([id, row]) => {
    const [method, path, result = ''] = row.split(' ')
    return [id, { id, method, path, result: required[result]?.split(' ').filter(Boolean) }]
  }),
) as Record<OperationId, Operation>
