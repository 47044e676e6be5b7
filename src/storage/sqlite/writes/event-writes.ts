import type { DatabaseSync } from 'node:sqlite'
import { type Forgetting, forgetEventsSql, forgetEventsValues } from '../../shared/writes/forget-events.ts'

/** The writes of events. Each runs inside a transaction of the writer. */
export function eventWrites(db: DatabaseSync) {
  const forget = db.prepare(forgetEventsSql('?1', '?2'))

  return {
    forgetEvents(forgetting: Forgetting): number {
      return Number(forget.run(...forgetEventsValues(forgetting)).changes)
    },
  }
}
