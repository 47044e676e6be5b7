import type { ErrorBody } from './contract.ts'
import type { Failure } from './retry-rules.ts'
import type { ResponseHeaders } from './runtime-types.ts'

/** All error codes of the service. */
export type ErrorCode = ErrorBody['code']

/** What a response was, beside its result. */
export interface ResponseDetails {
  status: number
  /** The id of the call in the log of the service. */
  requestId: string
  headers: ResponseHeaders
  /** The first 1,024 characters of an unexpected body, or of an error. */
  excerpt?: string
}

/** What every failed call reports. */
export interface CallDetails {
  /** The `operationId` of the OpenAPI document. */
  operation: string
  /** The id of the call in the log of the service. The client chooses it, so it exists even without a response. */
  requestId: string
  /** The number of attempts. */
  attempts: number
  /** False if the call certainly changed nothing, true if an attempt may have succeeded. */
  mayHaveSucceeded: boolean
  /** The key of a create or an import. With the same one, a repetition does nothing twice. */
  idempotencyKey?: string | undefined
  /** The response to the last attempt, if there was one. */
  response?: ResponseDetails | undefined
  /** The seconds in `Retry-After`, if the response has one. */
  retryAfterSeconds?: number | undefined
  /** @internal Of the last attempt. */
  failure?: Failure
}

/** The base class of all failed calls. (A call aborted by the caller rejects with the reason of the signal.) */
export abstract class CallError extends Error implements CallDetails {
  declare readonly operation: string
  declare readonly requestId: string
  declare readonly attempts: number
  declare readonly mayHaveSucceeded: boolean
  declare readonly idempotencyKey: string | undefined
  declare readonly response: ResponseDetails | undefined
  declare readonly retryAfterSeconds: number | undefined
  /** @internal */
  declare readonly failure: Failure

  constructor(message: string, details: CallDetails, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    Object.assign(this, details)
  }
}

/** The service refused the request. */
export class PetStoreError<Code extends ErrorCode = ErrorCode> extends CallError {
  override readonly name = 'PetStoreError'
  declare readonly code: Code
  declare readonly status: number
  /** The names of the members or parameters that are wrong; empty if the service does not name any. */
  declare readonly fields: readonly string[]

  constructor(
    { code, message, status }: ErrorBody & { code: Code },
    details: CallDetails,
    fields: readonly string[] = [],
  ) {
    super(message, { ...details, code, status, fields } as CallDetails)
  }
}

/**
 * The service was not reached, or the connection broke before the end of the response. `cause` is what `fetch` threw.
 */
export class ConnectionError extends CallError {
  override readonly name = 'ConnectionError'
}

/** There was no response within the timeout. */
export class TimeoutError extends CallError {
  override readonly name = 'TimeoutError'
}

/** The response is not from this service but from a gateway or another server behind `baseUrl`. */
export class UnexpectedResponseError extends CallError {
  override readonly name = 'UnexpectedResponseError'
  declare readonly status: number

  constructor(message: string, status: number, details: CallDetails) {
    super(message, { ...details, status } as CallDetails)
  }
}

/** Whether this is an error of the service, with one of these codes if any are given. */
export function isPetStoreError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is PetStoreError<Code> {
  return error instanceof PetStoreError && (codes.length === 0 || codes.includes(error.code as Code))
}
