import { randomBytes } from 'node:crypto'
import type { RequestHeaders } from './request-headers.ts'
import { withoutSecrets } from './secrets.ts'

type IdHeaders = Pick<RequestHeaders, 'x-request-id' | 'authorization'>

const validId = /^[\w.:+/=@-]{1,128}$/

// The first half is unique across processes, the second within this one; far cheaper than a UUID per request.
const prefix = randomBytes(6).toString('hex')
let count = 0

/** The client's own request id if it is valid and has no secret, so that the client can find its request in the log. */
export function requestIdFrom({ 'x-request-id': id, authorization }: IdHeaders): string {
  return id !== undefined && validId.test(id) && withoutSecrets(id, authorization) === id ? id : newRequestId()
}

export function newRequestId(): string {
  return `${prefix}-${(++count).toString(36)}`
}
