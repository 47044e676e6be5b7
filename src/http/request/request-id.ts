import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

// It is logged, so it must not contain a key.
const validId = /^(?!.*pet_(?:live|test)_)[\w.:+/=@-]{1,128}$/

// The first half is unique across processes, the second within this one; far cheaper than a UUID per request.
const prefix = randomBytes(6).toString('hex')
let count = 0

/** The client's own request id if it is valid, so that the client can find its request in the log. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  return requestIdFrom(request.headers['x-request-id'])
}

export function requestIdFrom(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && validId.test(header) ? header : newRequestId()
}

export function newRequestId(): string {
  return `${prefix}-${(++count).toString(36)}`
}
