import { randomBytes } from 'node:crypto'
import { withoutSecrets } from './secrets.ts'

const validId = /^[\w.:+/=@-]{1,128}$/

// The first half is unique across processes, the second within this one; far cheaper than a UUID per request.
const prefix = randomBytes(6).toString('hex')
let count = 0

/** The client's own request id if it is valid and has no secret, so that the client can find its request in the log. */
export function requestIdFrom(header: string | undefined): string {
  return header !== undefined && validId.test(header) && withoutSecrets(header) === header ? header : newRequestId()
}

export function newRequestId(): string {
  return `${prefix}-${(++count).toString(36)}`
}
