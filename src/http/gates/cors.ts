import { responseHeaders } from '../../contract/document/openapi-responses.ts'
import type { Exchange, Gate } from '../exchange.ts'

/**
 * Every response header that a client can use: those of the document and those of responses that it does not describe.
 */
const exposed = [...Object.keys(responseHeaders), 'Allow'].join(', ')
const allowed =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-Request-Id'
/** The Model Context Protocol repeats parts of its messages in headers. */
const allowedForAgents = `${allowed}, Mcp-Method, Mcp-Name, Mcp-Protocol-Version`

/** A CORS preflight request. It has no key and gets no data. */
export function isPreflight({ method, headers }: Exchange): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** Lets configured origins read responses, errors too. */
export function crossOrigin(origins: readonly string[]): Gate {
  const any = origins.includes('*')

  return (exchange) => {
    exchange.addVary('Origin')
    const { origin } = exchange.headers
    if (origin === undefined || !(any || origins.includes(origin))) return
    const { replyHeaders } = exchange
    replyHeaders['access-control-allow-origin'] = any ? '*' : origin
    replyHeaders['access-control-expose-headers'] = exposed
    if (!isPreflight(exchange)) return
    replyHeaders['access-control-allow-headers'] = exchange.target.path === '/mcp' ? allowedForAgents : allowed
    replyHeaders['access-control-max-age'] = '600'
  }
}
