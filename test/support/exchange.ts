import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Exchange } from '../../src/http/exchange.ts'
import { siteOf } from '../../src/http/replies/base-address.ts'
import { ReceivedRequest } from '../../src/http/request/received-request.ts'
import { ResponseState } from '../../src/http/response-state.ts'
import { openByteBudget } from '../../src/inventory/byte-budget.ts'

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
  outgoing?: ServerResponse
  incoming?: IncomingMessage
}

/** An exchange outside a server. No gate has found anything yet. */
export function makeExchange({
  method = 'GET',
  url = '/',
  remoteAddress,
  outgoing = neverSent,
  incoming,
}: Made): Exchange {
  const head = { method, url, rawHeaders: [], httpVersion: '1.1', socket: { remoteAddress } }
  return new Exchange(new ReceivedRequest(head, site, incoming), new ResponseState(outgoing, site.budget))
}
