import { Socket } from 'node:net'
import { Exchange, type Reply } from '../exchange.ts'
import { headOf } from '../replies/send.ts'
import type { Answer } from '../request-path.ts'
import { ReceivedRequest, type Site } from '../request/received-request.ts'
import { ResponseState } from '../response-state.ts'
import { http } from '../node-http.ts'

/** A request that no connection has brought. It has no body. */
export interface InjectedRequest {
  method: string
  url: string
  /** Names and values, alternating. */
  rawHeaders: readonly string[]
  remoteAddress?: string | undefined
}

export interface InjectedResponse {
  status: number
  headers: Record<string, string>
  body: Reply['body']
}

export type Inject = (request: InjectedRequest) => Promise<InjectedResponse>

/** Sends requests through all gates without a connection. Nobody writes to their responses. */
export function injector(answer: Answer, site: Site): Inject {
  return ({ remoteAddress, ...head }) =>
    new Promise((resolve) => {
      const request = new ReceivedRequest({ ...head, httpVersion: '1.1', socket: { remoteAddress } }, site)
      const outgoing = new http.ServerResponse(new http.IncomingMessage(new Socket()))
      answer(new Exchange(request, new ResponseState(outgoing, site.budget)), (exchange, reply) => {
        outgoing.statusCode = reply.status
        resolve({ status: reply.status, headers: asRecord(headOf(exchange, reply)), body: reply.body })
        outgoing.emit('close')
      })
    })
}

function asRecord(head: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {}
  for (let index = 0; index < head.length; index += 2) record[head[index] as string] = head[index + 1] as string
  return record
}
