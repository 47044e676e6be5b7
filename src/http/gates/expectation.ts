import { methodsWithBody } from '../../contract/operation.ts'
import type { Exchange } from '../exchange.ts'
import type { ReceivedRequest } from '../request/received-request.ts'

export function readsBody({ method }: ReceivedRequest): boolean {
  return methodsWithBody.has(method)
}

/** Whether the request expects at most 100-continue (RFC 9110, 10.1.1). */
export function isExpectationMet(expect: string): boolean {
  return expectationsOf(expect).every((expectation) => expectation === '100-continue')
}

/** Sends 100 Continue. Runs after every gate that needs no body, so that a refused request need not send its body. */
export function sendContinue({ request, findings, response }: Exchange): void {
  const { expect, 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (expect === undefined || request.httpVersion !== '1.1') return
  const isRead = readsBody(request) && (coding !== undefined || Number(length) > 0)
  const isTooLarge = Number(length) > (findings.route?.maxBodyBytes ?? Number.POSITIVE_INFINITY)
  if (expectationsOf(expect).length > 0 && isRead && !isTooLarge) response.outgoing.writeContinue()
}

function expectationsOf(header: string): string[] {
  return header.toLowerCase().split(/[\s,]/).filter(Boolean)
}
