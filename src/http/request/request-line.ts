import type { IncomingMessage } from 'node:http'

const malformed = new WeakSet<IncomingMessage>()

/** Marks a request whose first line Node's parser accepts but HTTP does not. */
export function markMalformedLine(request: IncomingMessage): void {
  malformed.add(request)
}

/** Whether the first line of a request is malformed (RFC 9112, 3): a method, an address without a fragment, a version. */
export function hasMalformedLine(request: IncomingMessage): boolean {
  // Node's parser takes a line without a version for HTTP/0.9.
  return request.httpVersion === '0.9' || (request.url as string).includes('#') || malformed.has(request)
}
