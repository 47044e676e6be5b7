import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorBody, type ErrorCode, errorStatus } from '../../contract/error.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { sendJson } from './json-reply.ts'

/** Maps an error to status and headers; nothing else does. A gate may add a header, such as Allow, to the reply. */
export function errorResponse({ code, message, retryAfterSeconds }: PetStoreError) {
  const status = errorStatus[code]
  const headers: Record<string, string> = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  return { status, headers, body: JSON.stringify({ code, message, status } satisfies ErrorBody) }
}

/** Turns anything thrown into a response. `report` is called for unexpected errors. */
export function errorHandler(report: (error: Error, request: FastifyRequest) => void) {
  return (thrown: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const error = thrown instanceof PetStoreError ? thrown : translate(thrown as FastifyError)
    if (errorStatus[error.code] >= 500) report((error.cause as Error | undefined) ?? thrown, request)
    sendError(reply, error)
  }
}

function sendError(reply: FastifyReply, error: PetStoreError): void {
  const { status, headers, body } = errorResponse(error)
  sendJson(reply.code(status).headers(headers), body)
}

// Fastify's own refusals, by their code.
const fastifyErrors: Record<string, readonly [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body must not be larger than 64 KiB.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_request', 'The length of the body differs from Content-Length.'],
  ECONNRESET: ['invalid_request', 'The connection ended before the request did.'],
}

function translate(error: FastifyError): PetStoreError {
  const [code, message] = fastifyErrors[error.code] ?? ['internal', 'The service failed to process this request.']
  return new PetStoreError(code, message)
}
