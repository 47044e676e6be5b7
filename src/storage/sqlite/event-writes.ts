import type { DatabaseSync } from 'node:sqlite'
import type { EventType } from '../../contract/event.ts'

/** Writes an event in the transaction of the change that it tells of. `data` is the wire form of the subject. */
export type RecordEvent = (type: EventType, subject: bigint, at: number, data: string) => void

export function prepareRecordEvent(db: DatabaseSync): RecordEvent {
  const insert = db.prepare('INSERT INTO events (type, subject, at, data) VALUES (?, ?, ?, ?)')
  return (type, subject, at, data) => void insert.run(type, subject, at, data)
}

/** How many events are let go of in one transaction: few enough that nobody waits long for it to end. */
const forgottenAtOnce = 5_000

/** What the writer does to events themselves. Each runs inside a transaction of the writer's. */
export function eventWrites(db: DatabaseSync) {
  // By id up to the first that is not old enough, not by time: a clock may go back, and what is kept must have no gaps.
  const forget = db.prepare(`
    DELETE FROM events WHERE id < (
      SELECT min(id) FROM (
        SELECT id FROM (SELECT id, at FROM events ORDER BY id LIMIT ${forgottenAtOnce}) WHERE at >= ?
        UNION ALL
        SELECT min(id) + ${forgottenAtOnce} FROM events))`)

  return {
    forgetEvents(before: number): number {
      return Number(forget.run(before).changes)
    },
  }
}
