import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

// Whatever it is will be logged, so it must not be a key.
const sane = /^(?!.*pet_(?:live|test)_)[\w.:+/=@-]{1,128}$/

// Unique across processes by its first half, within this one by its second; far cheaper than a UUID per request.
const prefix = randomBytes(6).toString('hex')
let count = 0

/** The client's own request id if it sent a sane one, so that it can find its request in our log. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  return requestIdFrom(request.headers['x-request-id'])
}

export function requestIdFrom(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && sane.test(header) ? header : newRequestId()
}

export function newRequestId(): string {
  return `${prefix}-${(++count).toString(36)}`
}
