import type { Exchange } from '../exchange.ts'

/** The methods whose body is read; other bodies have no meaning. */
const methodsWithBody = new Set(['POST', 'PUT', 'PATCH'])

export function readsBody({ method }: Exchange): boolean {
  return methodsWithBody.has(method)
}

/** Whether the request expects at most 100-continue (RFC 9110, 10.1.1). */
export function isExpectationMet(expect: string): boolean {
  return expectationsOf(expect).every((expectation) => expectation === '100-continue')
}

/** Sends 100 Continue. Runs after every gate that needs no body, so that a refused request need not send its body. */
export function sendContinue(exchange: Exchange): void {
  const { expect, 'content-length': length, 'transfer-encoding': coding } = exchange.headers
  if (expect === undefined || exchange.request.httpVersion !== '1.1') return
  const isRead = readsBody(exchange) && (coding !== undefined || Number(length) > 0)
  const isTooLarge = Number(length) > (exchange.route?.maxBodyBytes ?? Number.POSITIVE_INFINITY)
  if (expectationsOf(expect).length > 0 && isRead && !isTooLarge) exchange.response.writeContinue()
}

function expectationsOf(header: string): string[] {
  return header
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
}
