import type { ErrorCode } from '../contract/error.ts'
import { cursorGone } from '../contract/position.ts'

export interface ErrorDetails {
  /** After how many seconds it is worth trying again. */
  retryAfterSeconds?: number
  /** For the log: a client does not learn it. */
  cause?: unknown
}

/** Every failure a client may learn about. Anything else is a bug and leaves as `internal`. */
export class PetStoreError extends Error {
  override readonly name = 'PetStoreError'
  readonly code: ErrorCode
  readonly retryAfterSeconds: number | undefined
  /** Whether a change may be stored although its caller is told of a failure. */
  mayHaveSucceeded = false

  constructor(code: ErrorCode, message: string, { retryAfterSeconds, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A list was to go on from a position of a history that the database does not have. */
export function positionLost(): PetStoreError {
  return new PetStoreError('gone', cursorGone)
}

/** The service cannot do it now, and may in a moment. The cause is for the log; the client learns to try again. */
export function unavailable(message: string, cause?: unknown): PetStoreError {
  return new PetStoreError('unavailable', message, { retryAfterSeconds: 1, cause })
}

/** The same for a change of which nobody knows whether it is stored. */
export function outcomeUnknown(message: string, cause?: unknown): PetStoreError {
  const error = unavailable(message, cause)
  error.mayHaveSucceeded = true
  return error
}
