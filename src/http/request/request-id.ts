import { randomBytes } from 'node:crypto'

// It is logged, so it must not contain a key.
const validId = /^(?!.*pet_(?:live|test|invite)_)[\w.:+/=@-]{1,128}$/

// The first half is unique across processes, the second within this one; far cheaper than a UUID per request.
const prefix = randomBytes(6).toString('hex')
let count = 0

/** The client's own request id if it is valid, so that the client can find its request in the log. */
export function requestIdFrom(header: string | undefined): string {
  return header !== undefined && validId.test(header) ? header : newRequestId()
}

export function newRequestId(): string {
  return `${prefix}-${(++count).toString(36)}`
}
