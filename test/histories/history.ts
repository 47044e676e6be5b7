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
}

/** What a client asks for. */
export type Ask =
  | { kind: 'create'; animal: Omit<Animal, 'id'>; idempotencyKey?: string }
  | { kind: 'rename'; id: number; name: string; ifMatch?: string }
  | { kind: 'remove'; id: number }
  | { kind: 'order'; petId: number; idempotencyKey?: string }
  | { kind: 'close'; orderId: number; status: 'completed' | 'cancelled' }
  | { kind: 'get'; id: number; ifNoneMatch?: string }
  | { kind: 'getOrder'; orderId: number }
  | { kind: 'list'; filter: ListFilter }
  | { kind: 'inventory' }
  | { kind: 'events'; after: number; limit: number }

export interface ListFilter {
  limit: number
  status?: Status
  categoryId?: number
  sort?: 'id' | '-id' | 'name' | '-name'
  /** With the number of all that match. */
  isCounted?: boolean
  /** The page after this animal, by the link of the page before. */
  next?: { cursor: string; after: Animal }
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
  requestid?: string
  data: Animal | Order
}

export interface History {
  calls: Call[]
  /** From the first event to the last, read when all clients had ended. */
  feed: FeedEvent[]
  /** All animals, read at the end. */
  animals: Animal[]
}

/** What is wrong, and the calls that show it. */
export interface Anomaly {
  rule: string
  calls: Call[]
}

const reads = new Set<Ask['kind']>(['get', 'getOrder', 'list', 'inventory', 'events'])

export function isRead({ kind }: Ask): boolean {
  return reads.has(kind)
}

/** Whether the answer says that the write was carried out. */
export function isDone({ ask, answer }: Call): boolean {
  return answer !== undefined && !isRead(ask) && answer.status < 300
}

/** One line for people. */
export function describe({ id, client, ask, invoked, returned, answer, isMaybe }: Call): string {
  const told =
    answer === undefined ? (isMaybe ? 'unknown' : 'not done') : `${answer.status} ${JSON.stringify(answer.body)}`
  return `${invoked}–${returned} client ${client} ${id}: ${JSON.stringify(ask)} → ${told.slice(0, 400)}`
}
