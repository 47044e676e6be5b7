/** A write that got no result from the committer. */
export interface Unanswered {
  /** For the client. */
  message: string
  /** Whether it was sent: it may be on disk, or be stored later. */
  mayHaveSucceeded: boolean
  /** For the log. */
  cause?: Error | undefined
}

/** The message for a write that was not stored. */
export const notStored = 'Nothing can be written right now; try again.'
/** The message for a write with an unknown outcome. */
export const unknownOutcome =
  'It is unknown whether the change was stored: try again. With an Idempotency-Key it is not stored twice.'
