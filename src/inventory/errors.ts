import type { ErrorCode } from '../contract/error.ts'
import { maxSortedByName } from '../contract/pet.ts'

export interface ErrorDetails {
  /** When a retry makes sense. */
  retryAfterSeconds?: number
  /** The members and parameters of the document that are wrong. Names that a client invented are in the message only. */
  fields?: readonly string[]
  /** For the log; it is not sent to clients. */
  cause?: unknown
}

/** A failure that clients may see. Any other error is a bug and becomes `internal`. */
export class PetStoreError extends Error {
  override readonly name = 'PetStoreError'
  readonly code: ErrorCode
  readonly retryAfterSeconds: number | undefined
  readonly fields: readonly string[]
  /** Whether a change may be stored in spite of the error. */
  mayHaveSucceeded = false

  /** Invalid input names its fields, if it has any. What may be tried again says when. */
  constructor(code: ErrorCode, message: string, details: ErrorDetails & { fields: readonly string[] })
  constructor(
    code: 'unavailable' | 'rate_limited',
    message: string,
    details: Omit<ErrorDetails, 'fields'> & { retryAfterSeconds: number },
  )
  constructor(
    code: Exclude<ErrorCode, 'invalid_body' | 'invalid_parameter' | 'unavailable' | 'rate_limited'>,
    message: string,
    details?: Omit<ErrorDetails, 'fields'>,
  )
  constructor(code: ErrorCode, message: string, { retryAfterSeconds, fields = [], cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.fields = fields
  }
}

/** A bug. The cause is for the log. */
export function internal(cause: unknown): PetStoreError {
  return new PetStoreError('internal', 'The service failed to process this request.', { cause })
}

/** More pets match than a list by name may choose from. */
export function tooManyToSort(): PetStoreError {
  const message =
    `sort must be id or -id where more than ${maxSortedByName} animals match: filter by status or categoryId, ` +
    'or search by name.'
  return new PetStoreError('invalid_parameter', message, { fields: ['sort'] })
}

/** Nobody waits for the result any more. No client sees it, and it is no fault of the service. */
export function callerLeft(): PetStoreError {
  return new PetStoreError('invalid_request', 'The connection ended before the response.')
}

/** A temporary failure: the client should try again. The cause is for the log. */
export function unavailable(message: string, cause?: unknown): PetStoreError {
  return new PetStoreError('unavailable', message, { retryAfterSeconds: 1, cause })
}

/** A temporary failure with an unknown outcome: the change may be stored. */
export function outcomeUnknown(message: string, cause?: unknown): PetStoreError {
  const error = unavailable(message, cause)
  error.mayHaveSucceeded = true
  return error
}
