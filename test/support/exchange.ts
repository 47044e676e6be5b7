import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Exchange } from '../../src/http/exchange.ts'
import { siteOf } from '../../src/http/replies/base-address.ts'
import { ReceivedRequest } from '../../src/http/request/received-request.ts'
import { ResponseState } from '../../src/http/response-state.ts'
import { openByteBudget, type Reservation } from '../../src/inventory/byte-budget.ts'

/** A response that nobody reads. */
export function makeResponse(incoming = new IncomingMessage(new Socket())): ServerResponse {
  const response = new ServerResponse(incoming)
  response.assignSocket(incoming.socket)
  return response
}

const site = siteOf(undefined, false, openByteBudget())
const neverSent = makeResponse()

interface Made {
  method?: string
  url?: string
  remoteAddress?: string
  /** Names and values, alternating. */
  rawHeaders?: readonly string[]
  httpVersion?: string
  hasMalformedLine?: boolean
  outgoing?: ServerResponse
  incoming?: IncomingMessage
  /** The memory of the response. Default: of a budget of its own. */
  reservation?: Reservation
}

/** An exchange outside a server. No gate has found anything yet. */
export function makeExchange({
  method = 'GET',
  url = '/',
  remoteAddress,
  rawHeaders = [],
  httpVersion = '1.1',
  hasMalformedLine = false,
  outgoing = neverSent,
  incoming,
  reservation,
}: Made): Exchange {
  const head = { method, url, rawHeaders, httpVersion, socket: { remoteAddress } }
  return new Exchange(
    new ReceivedRequest(head, site, incoming, hasMalformedLine),
    new ResponseState(outgoing, site.budget, reservation),
  )
}
