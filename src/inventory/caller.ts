/** Who waits for a search. */
export interface Caller {
  /** Searches of one caller wait for each other; those of several callers take turns. */
  id: string
  /** Aborted when the caller has left: its searches end, rejected by `callerLeft`. */
  readonly signal: AbortSignal
}
