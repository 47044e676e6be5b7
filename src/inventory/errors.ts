import { type ErrorCode, errorStatus } from '../contract/error.ts'
import { cursorGone } from '../contract/position.ts'

/** Every failure a client may learn about. Anything else is a bug and leaves as `internal`. */
export class PetStoreError extends Error {
  override readonly name = 'PetStoreError'
  readonly code: ErrorCode
  readonly status: number
  /** Whether a change may be stored although its caller is told of a failure. */
  mayHaveSucceeded = false
  /** Answer headers that belong to this failure, such as `Allow` or `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.code = code
    this.status = errorStatus[code]
    this.headers = headers
  }
}

/** A list was to go on from a position of a history that the database does not have. */
export function positionLost(): PetStoreError {
  return new PetStoreError('gone', cursorGone)
}

/** The service cannot do it now, and may in a moment. The cause is for the log; the client learns to try again. */
export function unavailable(message: string, cause?: unknown): PetStoreError {
  const error = new PetStoreError('unavailable', message, { 'retry-after': '1' })
  if (cause !== undefined) error.cause = cause
  return error
}

/** The same for a change of which nobody knows whether it is stored. */
export function outcomeUnknown(message: string, cause?: unknown): PetStoreError {
  const error = unavailable(message, cause)
  error.mayHaveSucceeded = true
  return error
}
