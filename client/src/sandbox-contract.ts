// Generated from the sandbox's OpenAPI document by codegen/generate.ts. Not for editing: run `npm run generate`.

import type { Operation } from './contract.ts'

/** What a shop begins with. Unknown members are refused. */
export interface SeedChoice {
  /** The name of a seed. Absent: that of the sandbox. */
  seed?: 'empty' | 'demo' | undefined
}

/** The clock of a shop. */
export interface ShopClock {
  /** The time in the shop. */
  now: string
  /** How many seconds pass in the shop in a second. */
  speed: number
  /** Whether the time stands still. */
  frozen: true | false
}

/** What to change. `now` and `advance` exclude each other; what is absent stays. Unknown members are refused. */
export interface ClockChange {
  /** The time in the shop. */
  now?: string | undefined
  /** A duration (ISO 8601) to add to the time; with a minus it goes back. */
  advance?: string | undefined
  /** How many seconds pass in the shop in a second. */
  speed?: number | undefined
  /** Whether the time stands still. */
  frozen?: true | false | undefined
}

/** A fault and how often it was applied. */
export interface AppliedFault {
  /** The id of an operation; absent for all. */
  operation?: string
  /** What goes wrong. A number is the status of a response. */
  fault:
    | '400'
    | '401'
    | '403'
    | '404'
    | '405'
    | '408'
    | '409'
    | '410'
    | '412'
    | '413'
    | '414'
    | '415'
    | '417'
    | '422'
    | '429'
    | '431'
    | '500'
    | '503'
    | '502'
    | '504'
    | 'delay'
    | 'delay-response'
    | 'close'
    | 'reset'
    | 'committed-then-cut'
    | 'drip'
    | 'not-json'
    | 'wrong-result'
    | 'never'
    | 'repeat-event'
    | 'end-stream'
    | 'stall-stream'
  /** How long it takes. */
  seconds?: number
  /** How often it is applied; absent for always. */
  times?: number
  /** How many requests pass before. */
  after?: number
  /** The part of the requests it is applied to. */
  share?: number
  /** Chooses them: the same seed, the same requests. */
  seed?: number
  /** How often it was applied. */
  applied: number
}

/** A fault and when it is applied. */
export interface FaultRule {
  /** The id of an operation; absent for all. */
  operation?: string | undefined
  /** What goes wrong. A number, or its digits as a text, is the status of a response. */
  fault:
    | '400'
    | '401'
    | '403'
    | '404'
    | '405'
    | '408'
    | '409'
    | '410'
    | '412'
    | '413'
    | '414'
    | '415'
    | '417'
    | '422'
    | '429'
    | '431'
    | '500'
    | '503'
    | '502'
    | '504'
    | 'delay'
    | 'delay-response'
    | 'close'
    | 'reset'
    | 'committed-then-cut'
    | 'drip'
    | 'not-json'
    | 'wrong-result'
    | 'never'
    | 'repeat-event'
    | 'end-stream'
    | 'stall-stream'
    | 400
    | 401
    | 403
    | 404
    | 405
    | 408
    | 409
    | 410
    | 412
    | 413
    | 414
    | 415
    | 417
    | 422
    | 429
    | 431
    | 500
    | 503
    | 502
    | 504
  /** How long it takes. */
  seconds?: number | undefined
  /** How often it is applied; absent for always. */
  times?: number | undefined
  /** How many requests pass before. */
  after?: number | undefined
  /** The part of the requests it is applied to. */
  share?: number | undefined
  /** Chooses them: the same seed, the same requests. */
  seed?: number | undefined
}

/** A request that a client sent. */
export interface JournalEntry {
  /** Ascends in the order in which the requests began. */
  id: number
  /** When it began, in real time. */
  at: string
  /** The `X-Request-Id` of the response. */
  requestId: string
  /** The method. */
  method: string
  /** The path with its query. */
  path: string
  /** The id of the operation. */
  operation?: string
  /** The headers as they were sent, without secrets. */
  headers: Record<string, string>
  /** The first 8 KiB of the body. */
  body?: string
  /** The length of the whole body. */
  bodyBytes?: number
  /** The status of the response; absent if there was none. */
  status?: number
  /** The fault that was applied. */
  fault?: string
  /** How long the response took. */
  milliseconds?: number
}

/** The name of a bug of the catalogue. */
export type BugName =
  | 'limit-101-accepted'
  | 'limit-0-accepted'
  | 'limit-read-loosely'
  | 'limit-twice'
  | 'status-filter-ignores-case'
  | 'unknown-status-ignored'
  | 'unknown-parameter-refused'
  | 'name-not-required'
  | 'category-not-required'
  | 'blank-name-accepted'
  | 'name-trimmed'
  | 'category-as-text'
  | 'category-fraction-cut'
  | 'negative-category-refused'
  | 'null-status-accepted'
  | 'status-in-capitals-accepted'
  | 'any-content-type'
  | 'text-after-the-body'
  | 'id-with-zeros'
  | 'slash-at-the-end'
  | 'default-limit-25'
  | 'limit-ignored-with-status'
  | 'page-repeats-a-row'
  | 'page-skips-after-delete'
  | 'last-animal-not-paged'
  | 'filter-forgotten-on-page-2'
  | 'link-to-an-empty-page'
  | 'newest-first'
  | 'link-is-relative'
  | 'damaged-cursor-restarts'
  | 'available-includes-none'
  | 'count-ignores-the-filter'
  | 'int64-rounded'
  | 'absent-status-is-null'
  | 'status-set-by-default'
  | 'ids-are-strings'
  | 'time-without-zone'
  | 'leap-second'
  | 'names-normalized'
  | 'emoji-lost'
  | 'category-0-left-out'
  | 'members-echoed'
  | 'lists-need-no-key'
  | 'any-key-opens-an-animal'
  | 'any-scheme'
  | 'key-in-the-address'
  | 'not-found-before-key'
  | 'validation-before-key'
  | 'revoked-key-works-a-minute'
  | 'expired-key-works'
  | 'read-key-writes'
  | 'bearer-in-one-case'
  | 'no-challenge'
  | 'forbidden-is-401'
  | 'etag-never-changes'
  | 'weak-tags-match'
  | 'not-modified-with-body'
  | 'never-304'
  | 'list-etag-of-ids'
  | 'stale-animal'
  | 'cached-for-everybody'
  | 'errors-may-be-stored'
  | 'lost-update'
  | 'double-sale'
  | 'if-match-ignored'
  | 'delete-ignores-if-match'
  | 'put-overwrites'
  | 'key-forgotten-after-error'
  | 'key-shared-by-clients'
  | 'another-body-replayed'
  | 'replay-not-marked'
  | 'refusal-remembered'
  | 'orders-not-idempotent'
  | 'key-without-case'
  | 'key-kept-an-hour'
  | 'error-status-differs'
  | 'unknown-animal-is-null'
  | 'html-for-unknown-paths'
  | 'error-with-a-trace'
  | 'codes-in-capitals'
  | 'wrong-method-is-404'
  | 'smallest-category-fails'
  | 'message-shows-sql'
  | 'refusals-are-text'
  | 'taken-animal-is-400'
  | 'wrong-charset'
  | 'location-of-the-next'
  | 'request-id-not-returned'
  | 'deprecation-not-on-errors'
  | 'sunset-a-year-late'
  | 'no-allow'
  | 'animal-is-text-json'
  | 'cut-at-64-kib'
  | 'slow-every-hundredth'
  | 'no-head'
  | 'length-in-characters'
  | 'escapes-not-decoded'
  | 'getpet-survives-2030'
  | 'deletes-leave-no-event'
  | 'event-twice'
  | 'events-out-of-order'
  | 'after-skips-one'
  | 'event-type-ignored'
  | 'event-without-author'
  | 'id-used-again'
  | 'cancelled-stays-pending'
  | 'patch-removes-the-status'
  | 'inventory-counts-the-deleted'
  | 'import-loses-category-names'
  | 'search-minds-case'
  | 'import-adds-twice'
  | 'event-key-ignored'
  | 'event-from-excludes'
  | 'event-to-includes'
  | 'revoked-key-shown-active'
  | 'category-name-minds-case'
  | 'create-categories-ignored'
  | 'dry-run-stores'
  | 'spreadsheet-ignored'
  | 'separator-ignored'
  | 'count-of-another-moment'
  | 'half-a-transaction'

/** List what clients sent: what may be asked for. */
export interface ListRequestsQuery {
  /** Only requests with this method. */
  method?: string | undefined
  /** Only requests with this path, without a query. */
  path?: string | undefined
  /** Only requests of the operation with this id. */
  operation?: string | undefined
  /** Only requests whose response had this status. */
  status?: number | undefined
  /** Only requests after the one with this id. */
  after?: number | undefined
}

/** The members that a resource always has; # marks an integer. */
const required: Record<string, string> = {
  ShopClock: 'now speed# frozen',
  AppliedFault: 'fault applied#',
  BugNames: '',
  JournalEntry: 'id# at requestId method path headers',
}

/** Method, path below the base address, and result. Short, because browsers load it. */
const table = {
  resetShop: 'POST /sandbox/reset',
  getSnapshot: 'GET /sandbox/snapshot',
  putSnapshot: 'PUT /sandbox/snapshot',
  getClock: 'GET /sandbox/clock ShopClock',
  putClock: 'PUT /sandbox/clock ShopClock',
  listFaults: 'GET /sandbox/faults AppliedFault',
  putFaults: 'PUT /sandbox/faults AppliedFault',
  deleteFaults: 'DELETE /sandbox/faults',
  listBugs: 'GET /sandbox/bugs BugNames',
  putBugs: 'PUT /sandbox/bugs BugNames',
  listRequests: 'GET /sandbox/requests JournalEntry',
  deleteRequests: 'DELETE /sandbox/requests',
} as const

/** Every operation that only a sandbox has. */
export const sandboxOperations = Object.fromEntries(
  Object.entries(table).map(([id, row]) => {
    const [method, path, result = ''] = row.split(' ')
    return [id, { id, method, path, result: required[result]?.split(' ').filter(Boolean) }]
  }),
) as Record<keyof typeof table, Operation>
