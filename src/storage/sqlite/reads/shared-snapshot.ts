import type { DatabaseSync } from 'node:sqlite'

/**
 * One snapshot for the reads of a turn of the event loop. Each read alone would take and release a lock, which costs as
 * much as finding an animal.
 */
export interface SharedSnapshot {
  /** Begins a snapshot of what is committed now. It ends with this turn. */
  begin(): void
  /** Ends the snapshot when `work` of another thread or process settles: later reads must see what that work saw. */
  endAfter<Result>(work: Promise<Result>): Promise<Result>
}

export function sharedSnapshot(reader: DatabaseSync): SharedSnapshot {
  const begin = reader.prepare('BEGIN')
  const commit = reader.prepare('COMMIT')
  let isEndScheduled = false

  function end(): void {
    // A read that failed may have ended the transaction.
    if (reader.isOpen && reader.isTransaction) commit.run()
  }

  return {
    begin() {
      end()
      begin.run()
      if (isEndScheduled) return
      isEndScheduled = true
      setImmediate(() => {
        isEndScheduled = false
        end()
      })
    },
    endAfter: (work) => work.finally(end),
  }
}
