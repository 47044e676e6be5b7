import type { Static } from 'typebox'
import { Type } from './schema.ts'

/** All error codes, each with its HTTP status. */
export const errorStatus = {
  invalid_parameter: 400,
  invalid_body: 400,
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  expectation_failed: 417,
  idempotency_mismatch: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

export const errorCodes = Object.keys(errorStatus) as ErrorCode[]

/** The codes of each status. */
export const codesByStatus: ReadonlyMap<number, readonly ErrorCode[]> = Map.groupBy(
  errorCodes,
  (code) => errorStatus[code],
)

// The document calls it `Error`; in JavaScript that name is taken.
export const ErrorBody = Type.Object(
  {
    code: Type.Enum(errorCodes, {
      type: 'string',
      description: 'Machine-readable error code.',
      examples: ['not_found'],
    }),
    message: Type.String({ description: 'Human-readable description.', examples: ['No animal has this id.'] }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status code.', examples: [404] }),
  },
  {
    $id: 'Error',
    description: 'The body of every response with a status of 400 or more.',
    examples: [{ code: 'not_found', message: 'No animal has this id.', status: 404 }],
  },
)
export type ErrorBody = Static<typeof ErrorBody>
