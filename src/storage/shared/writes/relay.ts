import type { MessagePort } from 'node:worker_threads'

/**
 * Passes writes from processes that share an embedded database to the one that writes, so that they share its commits.
 * The engine defines a group; it can be sent between processes.
 */
export interface WriteRelay {
  /** Resolves when the whole group is on disk. */
  commit(group: unknown): Promise<unknown>
  /** Rejects if nothing can be written now. */
  check(): Promise<void>
  /** The files that the writing process has open. The engine defines them. */
  files(): Promise<unknown>
  /** Reports that the database is damaged, so that no process writes any more. */
  foundDamage(message: string): Promise<void>
}

/** The relay of the process that writes. */
export interface ThreadRelay extends WriteRelay {
  /** Lets another thread of this process commit through a port, without passing through this one. */
  connect(port: MessagePort): Promise<void>
}
