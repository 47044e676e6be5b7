import type { Answer, Ask } from './history.ts'
import { otherRequest } from './other-requests.ts'

export interface Sender {
  /** Such as http://127.0.0.1:34567/v1. */
  base: string
  key: string
}

/** A response says that nobody knows whether the write was stored, or of an import that a part of it was. */
const unknownOutcome = /it is unknown|\d animals? (was|were) added/i
const inFlight = /is (still )?in flight/
/** Longer than the service takes for any answer. */
export const timeoutMs = 20_000

/**
 * Sends a request as it is. `answer` is undefined if none came, or one that says nothing about the shop; then `isMaybe`
 * says whether it may have been carried out, or may be later.
 */
export async function send(
  { base, key }: Sender,
  id: string,
  ask: Ask,
): Promise<{ answer?: Answer; isMaybe: boolean }> {
  const { start, body, headers = {} } = requestFor(ask)
  const [method = '', path = ''] = start.split(' ')
  try {
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'x-request-id': id,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const { status } = response
    const nothing = saysNothing(status, text)
    if (nothing !== undefined) return nothing
    const [etag, total] = [response.headers.get('etag'), response.headers.get('x-total-count')]
    const cursor = /[?&]cursor=([^&>]+)[^>]*>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    const answer: Answer = {
      status,
      body:
        status === 200 && (ask.kind === 'export' || ask.kind === 'exportOrders')
          ? linesOf(text)
          : text === ''
            ? undefined
            : JSON.parse(text),
      ...(etag === null ? {} : { etag }),
      ...(total === null ? {} : { total: Number(total) }),
      ...(cursor === undefined ? {} : { cursor: decodeURIComponent(cursor) }),
    }
    return { answer, isMaybe: false }
  } catch {
    return { isMaybe: true }
  }
}

/** What to make of an answer that does not speak of the shop; undefined if it does. */
export function saysNothing(status: number, text: string): { answer?: Answer; isMaybe: boolean } | undefined {
  if (status === 500) return { answer: { status, body: text }, isMaybe: true }
  // From a proxy, or from a service that cannot answer now.
  if (status > 500) return { isMaybe: status !== 503 || unknownOutcome.test(text) }
  // The request did not arrive in time, which happens on a busy machine: nothing was done.
  if (status === 408) return { isMaybe: unknownOutcome.test(text) }
  // Another request with its key is under way. Nothing was done, and it says nothing about the shop.
  return status === 409 && inFlight.test(text) ? { isMaybe: false } : undefined
}

function linesOf(text: string): unknown[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown)
}

interface Request {
  start: string
  body?: unknown
  headers?: Record<string, string>
}

function requestFor(ask: Ask): Request {
  switch (ask.kind) {
    case 'create':
      return { start: 'POST /pets', body: ask.animal, headers: keyHeader(ask.idempotencyKey) }
    case 'rename':
      return {
        start: `PATCH /pets/${ask.id}`,
        body: { name: ask.name },
        headers: ask.ifMatch === undefined ? {} : { 'if-match': ask.ifMatch },
      }
    case 'remove':
      return { start: `DELETE /pets/${ask.id}`, headers: ask.ifMatch === undefined ? {} : { 'if-match': ask.ifMatch } }
    case 'order':
      return {
        start: 'POST /store/orders',
        body: { petId: ask.petId, ...customerOf(ask) },
        headers: keyHeader(ask.idempotencyKey),
      }
    case 'close':
      return { start: `PATCH /store/orders/${ask.orderId}`, body: { status: ask.status } }
    case 'get':
      return {
        start: `GET /pets/${ask.id}`,
        headers: tagHeader(ask),
      }
    case 'getOrder':
      return { start: `GET /store/orders/${ask.orderId}` }
    case 'list': {
      const { isCounted = false, next, ...filter } = ask.filter
      const headers = { ...(isCounted ? { prefer: 'count=exact' } : {}), ...tagHeader(ask) }
      return { start: `GET /pets?${queryOf({ ...filter, cursor: next?.cursor })}`, headers }
    }
    case 'orders': {
      const { next, ...filter } = ask.filter
      return { start: `GET /store/orders?${queryOf({ ...filter, cursor: next?.cursor })}`, headers: tagHeader(ask) }
    }
    case 'inventory':
      return { start: 'GET /store/inventory', headers: tagHeader(ask) }
    case 'days':
      return { start: 'GET /store/days', headers: tagHeader(ask) }
    case 'events':
      return { start: `GET /events?limit=${ask.limit}&after=${ask.after}` }
    case 'bulk': {
      const change = ask.change === 'delete' ? { delete: true } : { change: ask.change }
      return {
        start: 'POST /pets/bulk',
        body: { filter: ask.filter, ...change },
        headers: keyHeader(ask.idempotencyKey),
      }
    }
    case 'import':
      return {
        start: `POST /pets/import?importId=${ask.importId}`,
        body: fileOf(ask.rows),
        headers: { 'content-type': 'application/x-ndjson', ...keyHeader(ask.idempotencyKey) },
      }
    case 'dryRun':
      return {
        start: 'POST /pets/import?dry-run=true',
        body: fileOf(ask.rows),
        headers: { 'content-type': 'application/x-ndjson' },
      }
    case 'undo':
      return { start: `POST /pets/imports/${ask.importId}/undo`, headers: keyHeader(ask.idempotencyKey) }
    case 'export':
      return { start: `GET /pets/export?${queryOf({ format: 'ndjson', status: ask.filter.status })}` }
    case 'exportOrders':
      return { start: `GET /store/orders/export?${queryOf({ format: 'ndjson', status: ask.filter.status })}` }
    case 'told':
      throw new Error('Nobody asks to be told.')
    default:
      return otherRequest(ask)
  }
}

export function customerOf({ customer }: { customer?: string }): { customer?: string } {
  return customer === undefined ? {} : { customer }
}

function keyHeader(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { 'idempotency-key': key }
}

function tagHeader({ ifNoneMatch }: { ifNoneMatch?: string }): Record<string, string> {
  return ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }
}

function fileOf(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

/** What a list has by default is not sent. */
function queryOf({ limit, ...parameters }: Record<string, string | number | undefined>): string {
  const sent = { ...parameters, ...(limit === 20 ? {} : { limit }) }
  const given = Object.entries(sent).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return new URLSearchParams(given).toString()
}
