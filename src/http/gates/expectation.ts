import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The methods whose body is read; other bodies have no meaning. */
const methodsWithBody = new Set(['POST', 'PUT', 'PATCH'])

/** Whether the request expects at most 100-continue (RFC 9110, 10.1.1). */
export function isExpectationMet({ headers }: IncomingMessage): boolean {
  return expectationsOf(headers.expect).every((expectation) => expectation === '100-continue')
}

/** Sends 100 Continue. Runs after every gate that needs no body, so that a refused request need not send its body. */
export function sendContinue(
  { raw, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  _body: unknown,
  done: () => void,
) {
  const { expect, 'content-length': length, 'transfer-encoding': coding } = raw.headers
  if (expect === undefined || raw.httpVersion !== '1.1') return done()
  const isRead = methodsWithBody.has(raw.method as string) && (coding !== undefined || Number(length) > 0)
  const isTooLarge = Number(length) > (routeOptions.bodyLimit ?? Number.POSITIVE_INFINITY)
  if (expectationsOf(expect).length > 0 && isRead && !isTooLarge) reply.raw.writeContinue()
  done()
}

function expectationsOf(header: string | undefined): string[] {
  if (header === undefined) return []
  return header
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
}
