export type Status = 'available' | 'pending' | 'sold'

export interface Animal {
  id: number
  name: string
  categoryId: number
  status?: Status
}

export interface Order {
  id: number
  petId: number
  status: 'placed' | 'completed' | 'cancelled'
  /** Not in events. */
  customer?: string
}

export interface Category {
  id: number
  name: string
}

/** As the list of imports has it. */
export interface Import {
  id: string
  added: number
  rejected: number
  undoneAt?: string
}

/** What a client asks for. */
export type Ask =
  | { kind: 'create'; animal: Omit<Animal, 'id'>; idempotencyKey?: string }
  | { kind: 'rename'; id: number; name: string; ifMatch?: string }
  | { kind: 'remove'; id: number; ifMatch?: string }
  | { kind: 'order'; petId: number; customer?: string; idempotencyKey?: string }
  | { kind: 'close'; orderId: number; status: 'completed' | 'cancelled' }
  | { kind: 'bulk'; filter: BulkFilter; change: BulkChange; idempotencyKey?: string }
  | { kind: 'import'; rows: Omit<Animal, 'id'>[]; importId: string; idempotencyKey?: string }
  /** Asks what an import would do. */
  | { kind: 'dryRun'; rows: Omit<Animal, 'id'>[] }
  /** Removes the animals of an import that nobody has changed or ordered. */
  | { kind: 'undo'; importId: string; idempotencyKey?: string }
  | { kind: 'get'; id: number; ifNoneMatch?: string }
  | { kind: 'getOrder'; orderId: number }
  | { kind: 'list'; filter: ListFilter; ifNoneMatch?: string }
  | { kind: 'orders'; filter: OrderFilter; ifNoneMatch?: string }
  | { kind: 'inventory'; ifNoneMatch?: string }
  | { kind: 'days'; ifNoneMatch?: string }
  | { kind: 'events'; after: number; limit: number }
  | { kind: 'export'; filter: Pick<ListFilter, 'status' | 'next'> }
  | { kind: 'exportOrders'; filter: Pick<OrderFilter, 'status' | 'next'> }
  | { kind: 'imports'; limit: number }
  | { kind: 'setCustomer'; orderId: number; customer: string | null }
  /** Orders whose customer has a word with this beginning. */
  | { kind: 'customers'; word: string; limit: number; next?: { cursor: string; after?: number; isShort: boolean } }
  | { kind: 'addCategory'; name: string }
  /** `new`: only if it has no name yet. `known`: only if it has one. */
  | { kind: 'nameCategory'; id: number; name: string; only?: 'new' | 'known' }
  | { kind: 'removeCategory'; id: number }
  | { kind: 'getCategory'; id: number }
  | { kind: 'categories'; limit: number; next?: { cursor: string; after: number } }
  | { kind: 'makeKey'; name: string }
  | { kind: 'revokeKey'; keyId: string }
  | { kind: 'getKey'; keyId: string }
  /** A request with a key of its own. */
  | { kind: 'useKey'; keyId: string; secret: string }
  /** A reader of a stream, or the receiver of a webhook, gets some events. */
  | { kind: 'told' }

/** Which animals: those with a status or in a category, or with an id. */
export type BulkFilter = { status: Status } | { categoryId: number } | { ids: number[] }

export type BulkChange = { status: Status } | { categoryId: number } | 'delete'

/** What a bulk change says that it did. */
export interface BulkResult {
  changed: number
  unchanged: number
  refused: number
  refusals: { id: number; message: string }[]
}

/** What the undo of an import says that it did. */
export interface UndoResult {
  removed: number
  kept: number
  keeps: { id: number; message: string }[]
  /** There may be more animals. */
  next?: string
}

export interface ListFilter {
  /** 20 is not sent: it is what a request gets without a limit. */
  limit: number
  /** With this id. */
  id?: number
  status?: Status
  categoryId?: number
  sort?: 'id' | '-id' | 'name' | '-name'
  /** The beginning of a word of the name. */
  name?: string
  /** With the number of all that match. */
  isCounted?: boolean
  /** The page after this animal, by the link of the page before. */
  next?: Next<Animal>
}

export interface OrderFilter {
  limit: number
  status?: Order['status']
  petId?: number
  /** The beginning of a word of the name of the animal. */
  petName?: string
  sort?: 'id' | '-id'
  next?: Next<Order>
}

export interface Next<Row> {
  cursor: string
  /** Undefined if the pages before were empty. */
  after?: Row
  /** The id of the request whose search stopped early: this page may begin anywhere after that. */
  since?: string
}

export interface Answer {
  status: number
  body: unknown
  etag?: string
  /** `X-Total-Count`. */
  total?: number
  /** Of the link to the next page. */
  cursor?: string
}

/** What one client asked, and what it was told. Times are steps of one clock: no two are the same. */
export interface Call {
  /** The id of the request. */
  id: string
  client: number
  ask: Ask
  invoked: number
  /** Infinity if no answer came. */
  returned: number
  /** The same moments on a clock of milliseconds. */
  invokedMs: number
  returnedMs: number
  /** Undefined if no answer came, or one that says nothing about the shop. */
  answer?: Answer
  /** Nobody knows whether it was carried out, now or later. */
  isMaybe: boolean
}

/** An event of the feed, as clients get it. */
export interface FeedEvent {
  id: string
  type: string
  subject: string
  time: string
  requestid?: string
  data: Animal | Order
}

/** Its place in the feed: the id of an event begins with it. */
export function numberOf({ id }: FeedEvent): number {
  return Number.parseInt(id)
}

export interface History {
  calls: Call[]
  /** From the first event to the last, read when all clients had ended. */
  feed: FeedEvent[]
  /** All animals, read at the end. */
  animals: Animal[]
  /** What each reader of a stream, and each receiver of a webhook, got from the first event to the last. */
  told?: { who: string; events: FeedEvent[]; mayRepeat: boolean }[]
  /** Single animals, orders and lists may be as they were so many milliseconds ago. */
  lagMs?: number
}

/** What is wrong, and the calls that show it. */
export interface Anomaly {
  rule: string
  calls: Call[]
  /** Those that say why. */
  events?: readonly FeedEvent[]
}

const reads = new Set<Ask['kind']>([
  'get',
  'getOrder',
  'list',
  'orders',
  'inventory',
  'days',
  'events',
  'export',
  'exportOrders',
  'imports',
  'customers',
  'categories',
  'getCategory',
  'getKey',
  'useKey',
  'told',
])

/** Writes that the feed does not have. */
const withoutEvents = new Set<Ask['kind']>([
  'setCustomer',
  'addCategory',
  'nameCategory',
  'removeCategory',
  'makeKey',
  'revokeKey',
])

export function isRead({ kind }: Ask): boolean {
  return reads.has(kind)
}

/** Whether the answer says that something was changed that the feed tells. */
export function isDone({ ask, answer }: Call): boolean {
  if (answer === undefined || isRead(ask) || withoutEvents.has(ask.kind) || answer.status >= 300) return false
  if (ask.kind === 'bulk') return (answer.body as BulkResult).changed > 0
  if (ask.kind === 'undo') return (answer.body as UndoResult).removed > 0
  return ask.kind !== 'dryRun'
}

export function keyOf({ ask }: Call): string | undefined {
  return 'idempotencyKey' in ask ? ask.idempotencyKey : undefined
}

/** One line for people. */
export function describe({ id, client, ask, invoked, returned, answer, isMaybe }: Call): string {
  const told =
    answer === undefined ? (isMaybe ? 'unknown' : 'not done') : `${answer.status} ${JSON.stringify(answer.body)}`
  return `${invoked}–${returned} client ${client} ${id}: ${JSON.stringify(ask)} → ${told.slice(0, 400)}`
}

export function describeEvent({ id, type, requestid = '', data }: FeedEvent): string {
  return `event ${id} ${type} of ${requestid}: ${JSON.stringify(data)}`
}
