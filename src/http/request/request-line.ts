import type { IncomingMessage } from 'node:http'

const malformed = new WeakSet<IncomingMessage>()

/** Marks a request whose first line Node's parser accepts but HTTP does not. */
export function markMalformedLine(request: IncomingMessage): void {
  malformed.add(request)
}

/** Whether the first line of a request is malformed (RFC 9112, 3): a method, an address without a fragment, HTTP/1. */
export function hasMalformedLine(request: IncomingMessage): boolean {
  // Node's parser takes a line without a version for HTTP/0.9, and knows HTTP/2.0.
  return !request.httpVersion.startsWith('1.') || (request.url as string).includes('#') || malformed.has(request)
}
