import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorBody, errorStatus } from '../../contract/error.ts'
import { internal, PetStoreError } from '../../inventory/errors.ts'
import { jsonType, sendJson } from './json-reply.ts'
import type { Observer } from './observe.ts'

/** Maps an error to status and headers; nothing else does. A gate may add a header, such as Allow, to the reply. */
export function errorResponse({ code, message, retryAfterSeconds, fields }: PetStoreError) {
  const status = errorStatus[code]
  const headers: Record<string, string> = { ...jsonType, 'cache-control': 'no-store' }
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  if (fields.length > 0) headers['invalid-fields'] = fields.join(', ')
  return { status, headers, body: JSON.stringify({ code, message, status } satisfies ErrorBody) }
}

type ErrorObserver = Pick<Observer, 'failed' | 'unavailable'>

/** Turns anything thrown into a response. */
export function errorHandler(observer: ErrorObserver) {
  return (thrown: Error, request: FastifyRequest, reply: FastifyReply): void =>
    sendError(reply, reportError(thrown, observer, request.id))
}

/** Returns the error for the client. Reports outages and unexpected errors to the observer. */
export function reportError(thrown: Error, { failed, unavailable }: ErrorObserver, requestId: string): PetStoreError {
  const error = thrown instanceof PetStoreError ? thrown : translate(thrown as FastifyError)
  if (error.code === 'unavailable') unavailable(reasonOf(error), requestId)
  else if (errorStatus[error.code] >= 500) failed((error.cause as Error | undefined) ?? thrown, requestId)
  return error
}

/** The messages of an error and its causes, as one sentence. */
function reasonOf(error: unknown): string {
  const messages: string[] = []
  for (let each = error; each instanceof Error; each = each.cause) {
    // Some errors of Node have no message, but a code.
    const message = each.message || ((each as NodeJS.ErrnoException).code ?? '')
    if (message !== '') messages.push(message.replace(/\.$/, ''))
  }
  return `${messages.join(': ')}.`
}

function sendError(reply: FastifyReply, error: PetStoreError): void {
  const { status, headers, body } = errorResponse(error)
  sendJson(reply.code(status).headers(headers), body)
}

// Fastify's own refusals, by their code.
const fastifyErrors: Record<string, readonly ['payload_too_large' | 'invalid_request', string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body must not be larger than 64 KiB.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_request', 'The length of the body differs from Content-Length.'],
  ECONNRESET: ['invalid_request', 'The connection ended before the request did.'],
}

function translate(error: FastifyError): PetStoreError {
  const known = fastifyErrors[error.code]
  return known === undefined ? internal(error) : new PetStoreError(...known)
}
