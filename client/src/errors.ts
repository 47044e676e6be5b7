import type { ErrorBody } from './contract.ts'
import type { Failure } from './retry-rules.ts'

/** The closed set of codes that the service refuses a request with. */
export type ErrorCode = ErrorBody['code']

/** What every error of a call tells. */
export interface CallDetails {
  /** Names the call in the log of the service. The client chooses it, so there is one even when no response came. */
  requestId: string
  /** How often it was tried. */
  attempts: number
  /** False when the call certainly changed nothing. True when an attempt may have been carried out. */
  mayHaveSucceeded: boolean
  /** @internal Of the last attempt. */
  failure: Failure
}

/** Any call that failed. (A call that the caller aborted rejects with the reason of the signal instead.) */
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

/** The service refused, and says why. */
export class PetStoreError<Code extends ErrorCode = ErrorCode> extends CallError {
  override readonly name = 'PetStoreError'
  readonly code: Code
  readonly status: number
  /** What the service asks to wait, if it does. */
  readonly retryAfterSeconds: number | undefined

  constructor({ code, message, status }: ErrorBody & { code: Code }, details: CallDetails, retryAfterSeconds?: number) {
    super(message, details)
    this.code = code
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The service was not reached, or the connection broke before the whole response came. `cause` is what `fetch` threw. */
export class ConnectionError extends CallError {
  override readonly name = 'ConnectionError'
}

/** No response in time. */
export class TimeoutError extends CallError {
  override readonly name = 'TimeoutError'
}

/** A response that this service does not give: from a gateway, or from another server behind `baseUrl`. */
export class UnexpectedResponseError extends CallError {
  override readonly name = 'UnexpectedResponseError'
  readonly status: number
  /** What the response asks to wait, if it does. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, status: number, details: CallDetails, retryAfterSeconds?: number) {
    super(message, details)
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whether the service refused, and with one of these codes, if any are given. */
export function isPetStoreError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is PetStoreError<Code> {
  return error instanceof PetStoreError && (codes.length === 0 || codes.some((code) => code === error.code))
}
