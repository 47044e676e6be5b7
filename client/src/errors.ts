import type { ErrorBody } from './contract.ts'

/** The closed set of codes that the service refuses a request with. */
export type ErrorCode = ErrorBody['code']

/** What is known of a call that failed, whatever it failed of. */
export interface CallDetails {
  /** Names the call in the log of the service. The client chooses it, so there is one even when no answer came. */
  requestId: string
  /** How often it was tried. */
  attempts: number
  /** False when nothing was changed, for certain. True when a try may have been carried out though its answer is missing. */
  mayHaveSucceeded: boolean
}

/** Any call that failed. (A call that the caller aborted rejects with the reason of the signal instead.) */
export abstract class CallError extends Error implements CallDetails {
  readonly requestId: string
  readonly attempts: number
  readonly mayHaveSucceeded: boolean

  constructor(message: string, { requestId, attempts, mayHaveSucceeded }: CallDetails, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.requestId = requestId
    this.attempts = attempts
    this.mayHaveSucceeded = mayHaveSucceeded
  }
}

/** The service refused, and says why. */
export class PetStoreError<Code extends ErrorCode = ErrorCode> extends CallError {
  override readonly name = 'PetStoreError'
  readonly code: Code
  readonly status: number
  /** In seconds, when the service said it. */
  readonly retryAfterSeconds: number | undefined

  constructor({ code, message, status }: ErrorBody & { code: Code }, details: CallDetails, retryAfterSeconds?: number) {
    super(message, details)
    this.code = code
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No answer, or only a part of one: the service was not reached, or the connection broke. `cause` says what fetch said. */
export class ConnectionError extends CallError {
  override readonly name = 'ConnectionError'
}

/** No answer in time. */
export class TimeoutError extends CallError {
  override readonly name = 'TimeoutError'
}

/** An answer that is none of this service: from something in between, or from behind a wrong `baseUrl`. */
export class UnexpectedResponseError extends CallError {
  override readonly name = 'UnexpectedResponseError'
  readonly status: number
  /** In seconds, when the answer said it. */
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
