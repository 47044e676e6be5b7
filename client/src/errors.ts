import type { ErrorBody } from './contract.ts'
import type { Failure } from './retry-rules.ts'

/** All error codes of the service. */
export type ErrorCode = ErrorBody['code']

/** What every failed call reports. */
export interface CallDetails {
  /** The id of the call in the log of the service. The client chooses it, so it exists even without a response. */
  requestId: string
  /** The number of attempts. */
  attempts: number
  /** False if the call certainly changed nothing, true if an attempt may have succeeded. */
  mayHaveSucceeded: boolean
  /** @internal Of the last attempt. */
  failure: Failure
}

/** The base class of all failed calls. (A call aborted by the caller rejects with the reason of the signal.) */
export abstract class CallError extends Error implements CallDetails {
  readonly requestId: string
  readonly attempts: number
  readonly mayHaveSucceeded: boolean
  /** @internal */
  readonly failure: Failure

  constructor(message: string, details: CallDetails, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.requestId = details.requestId
    this.attempts = details.attempts
    this.mayHaveSucceeded = details.mayHaveSucceeded
    this.failure = details.failure
  }
}

/** The service refused the request. */
export class PetStoreError<Code extends ErrorCode = ErrorCode> extends CallError {
  override readonly name = 'PetStoreError'
  readonly code: Code
  readonly status: number
  /** The seconds in `Retry-After`, if the response has one. */
  readonly retryAfterSeconds: number | undefined

  constructor({ code, message, status }: ErrorBody & { code: Code }, details: CallDetails, retryAfterSeconds?: number) {
    super(message, details)
    this.code = code
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
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
  readonly status: number
  /** The seconds in `Retry-After`, if the response has one. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, status: number, details: CallDetails, retryAfterSeconds?: number) {
    super(message, details)
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whether this is an error of the service, with one of these codes if any are given. */
export function isPetStoreError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is PetStoreError<Code> {
  return error instanceof PetStoreError && (codes.length === 0 || codes.some((code) => code === error.code))
}
