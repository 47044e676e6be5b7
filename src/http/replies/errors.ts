import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody, ErrorCode } from '../../contract/error.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { sendJson } from './json-reply.ts'

/** The body of an answer with a status of 400 or more. */
export function errorBody({ code, message, status }: PetStoreError): string {
  return JSON.stringify({ code, message, status } satisfies ErrorBody)
}

/** Turns whatever was thrown into the one answer a client may see. `report` hears of everything that is our fault. */
export function errorHandler(report: (error: Error, request: FastifyRequest) => void) {
  return (thrown: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const error = thrown instanceof PetStoreError ? thrown : translate(thrown as FastifyError)
    if (error.status >= 500) report((error.cause as Error | undefined) ?? thrown, request)
    sendError(reply, error)
  }
}

export function sendError(reply: FastifyReply, error: PetStoreError): void {
  for (const name in error.headers) reply.header(name, error.headers[name])
  reply.code(error.status).header('cache-control', 'no-store')
  sendJson(reply, errorBody(error))
}

// Fastify refuses some requests by itself, each with a code of its own.
const fastifyErrors: Record<string, readonly [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body must not be larger than 64 KiB.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_request', 'The body is not as long as Content-Length says.'],
  ECONNRESET: ['invalid_request', 'The connection ended before the request did.'],
}

function translate(error: FastifyError): PetStoreError {
  const [code, message] = fastifyErrors[error.code] ?? ['internal', 'The service failed to answer this request.']
  return new PetStoreError(code, message)
}
