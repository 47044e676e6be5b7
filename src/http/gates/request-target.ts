import type { IncomingMessage } from 'node:http'
import { mendPath } from './path-encoding.ts'

const absolute = /^https?:\/\/([^/?#]*)\/?/i

/**
 * The path and query of a request, for the router. The authority of an address in absolute form (RFC 9112, 3.2.2)
 * replaces the Host header, which links use.
 */
export function readTarget(request: IncomingMessage): string {
  const url = request.url as string
  const [start, authority] = (url.startsWith('/') ? null : absolute.exec(url)) ?? []
  if (start === undefined) return mendPath(request, url)
  request.headers.host = authority
  return mendPath(request, `/${url.slice(start.length)}`)
}
