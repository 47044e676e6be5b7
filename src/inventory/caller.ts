export interface WaitLimit {
  leftMs: number
}

/** Who waits for what is read. */
export interface Caller {
  /** Searches of one caller wait for each other; those of several callers take turns. */
  readonly id: string
  /** Aborted when the caller has left: its searches end, rejected by `callerLeft`. */
  readonly signal: AbortSignal
  /**
   * Resolves when stored texts of so many bytes may be read for the caller, in the place of those before. Rejects as
   * `unavailable` if that takes too long. Must not be awaited while a snapshot, or another text, is held. `isJson`: they
   * are sent as they are stored.
   */
  reserve(textBytes: number, isJson?: boolean): Promise<void>
  /** The same at once. False if there is no room. */
  tryReserve(textBytes: number): boolean
  /** How long it may still wait in queues, for its turns and for memory together. Whoever lets it wait counts it here. */
  readonly waiting?: WaitLimit
}
