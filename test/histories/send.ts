import type { Answer, Ask } from './history.ts'

export interface Sender {
  /** Such as http://127.0.0.1:34567/v1. */
  base: string
  key: string
}

/** A response says that nobody knows whether the write was stored. */
const unknownOutcome = /It is unknown/
const inFlight = /is still in flight/
/** Longer than the service takes for any answer. */
const timeoutMs = 20_000

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
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const { status } = response
    if (status === 500) return { answer: { status, body: text }, isMaybe: true }
    // From a proxy, or from a service that cannot answer now.
    if (status > 500) return { isMaybe: status !== 503 || unknownOutcome.test(text) }
    // Another request with its key is under way. Nothing was done, and it says nothing about the shop.
    if (status === 409 && inFlight.test(text)) return { isMaybe: false }
    const [etag, total] = [response.headers.get('etag'), response.headers.get('x-total-count')]
    const cursor = /[?&]cursor=([^&>]+)[^>]*>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    const answer: Answer = {
      status,
      body: text === '' ? undefined : JSON.parse(text),
      ...(etag === null ? {} : { etag }),
      ...(total === null ? {} : { total: Number(total) }),
      ...(cursor === undefined ? {} : { cursor: decodeURIComponent(cursor) }),
    }
    return { answer, isMaybe: false }
  } catch {
    return { isMaybe: true }
  }
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
      return { start: `DELETE /pets/${ask.id}` }
    case 'order':
      return { start: 'POST /store/orders', body: { petId: ask.petId }, headers: keyHeader(ask.idempotencyKey) }
    case 'close':
      return { start: `PATCH /store/orders/${ask.orderId}`, body: { status: ask.status } }
    case 'get':
      return {
        start: `GET /pets/${ask.id}`,
        headers: ask.ifNoneMatch === undefined ? {} : { 'if-none-match': ask.ifNoneMatch },
      }
    case 'getOrder':
      return { start: `GET /store/orders/${ask.orderId}` }
    case 'list': {
      const { isCounted = false, next, ...filter } = ask.filter
      const parameters = { ...filter, ...(next === undefined ? {} : { cursor: next.cursor }) }
      const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))
      return { start: `GET /pets?${query.toString()}`, headers: isCounted ? { prefer: 'count=exact' } : {} }
    }
    case 'inventory':
      return { start: 'GET /store/inventory' }
    case 'events':
      return { start: `GET /events?limit=${ask.limit}&after=${ask.after}` }
  }
}

function keyHeader(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { 'idempotency-key': key }
}
