import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Exchange, type Reply, type Site } from '../exchange.ts'
import { headOf } from '../replies/send.ts'
import type { Answer } from '../request-path.ts'

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

/** Sends requests through all gates without a connection. */
export function injector(answer: Answer, site: Site): Inject {
  return ({ method, url, rawHeaders, remoteAddress }) =>
    new Promise((resolve) => {
      const request = { method, url, rawHeaders, httpVersion: '1.1', complete: true, socket: { remoteAddress } }
      const response = Object.assign(new EventEmitter(), { headersSent: false, destroyed: false, statusCode: 200 })
      const exchange = new Exchange(request as unknown as IncomingMessage, response as unknown as ServerResponse, site)
      answer(exchange, (_exchange, reply) => {
        response.statusCode = reply.status
        resolve({ status: reply.status, headers: asRecord(headOf(exchange, reply)), body: reply.body })
        response.emit('close')
      })
    })
}

function asRecord(head: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {}
  for (let index = 0; index < head.length; index += 2) record[head[index] as string] = head[index + 1] as string
  return record
}
