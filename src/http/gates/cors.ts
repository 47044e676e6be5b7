import { responseHeaders } from '../../contract/document/openapi-responses.ts'
import type { Gate } from '../exchange.ts'
import type { ReceivedRequest } from '../request/received-request.ts'

/**
 * Every response header that a client can use: those of the document and those of responses that it does not describe.
 */
const exposed = [...Object.keys(responseHeaders), 'Allow'].join(', ')
const allowed =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-Request-Id'
/** The Model Context Protocol repeats parts of its messages in headers. */
const allowedForAgents = `${allowed}, Mcp-Method, Mcp-Name, Mcp-Protocol-Version`

/** A CORS preflight request. It has no key and gets no data. */
export function isPreflight({ method, headers }: ReceivedRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** Lets configured origins read responses, errors too. */
export function crossOrigin(origins: readonly string[]): Gate {
  const any = origins.includes('*')

  return ({ request, response }) => {
    response.addVary('Origin')
    const { origin } = request.headers
    if (origin === undefined || !(any || origins.includes(origin))) return
    const { headers } = response
    headers['access-control-allow-origin'] = any ? '*' : origin
    headers['access-control-expose-headers'] = exposed
    if (!isPreflight(request)) return
    headers['access-control-allow-headers'] = request.target.path === '/mcp' ? allowedForAgents : allowed
    headers['access-control-max-age'] = '600'
  }
}
