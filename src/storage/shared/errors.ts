/** The storage cannot be opened or used. The message is one sentence for the operator. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
}

/**
 * Called with a sentence for the operator when a database fails, and without one when it has recovered, optionally with
 * a sentence about the recovery.
 */
export type HealthReport = (problem: string | undefined, recovery?: string) => void
