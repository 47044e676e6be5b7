import type { PetStoreError } from '../../inventory/errors.ts'
import { errorReply } from '../replies/errors.ts'
import { http } from '../node-http.ts'

/** The bytes of a response to an unparsed request, the last on its connection. */
export function rawError(error: PetStoreError, requestId: string, more: Record<string, string> = {}): string {
  const { status, headers, body } = errorReply(error)
  const common = { 'x-request-id': requestId, 'x-content-type-options': 'nosniff' }
  return rawResponse(status, { ...headers, ...common, ...more }, body)
}

export function rawResponse(status: number, headers: Record<string, unknown>, body: string): string {
  const all = {
    ...headers,
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${String(value)}\r\n`)
  return `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}
