/**
 * How processes that share an embedded database pass their writes to the one that writes, so that all of them together
 * have one writer and share its commits. What a group is, is the engine's own affair; it can be sent between processes.
 */
export interface WriteRelay {
  /** Resolves once the whole group is on disk. */
  commit(group: unknown): Promise<unknown>
  /** Rejects when nothing could be written now. */
  check(): Promise<void>
  /** Tells that the database is damaged: whoever found it, nobody may write any more. */
  foundDamage(message: string): Promise<void>
}
