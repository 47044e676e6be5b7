import type { DatabaseSync } from 'node:sqlite'
import type { EventType } from '../../contract/event.ts'
import { type Forgetting, forgetEventsSql, forgetEventsValues } from '../shared/forget-events.ts'

/** Writes an event in the transaction of the change that it tells of. `data` is the wire form of the subject. */
export type RecordEvent = (type: EventType, subject: bigint, at: number, data: string) => void

export function prepareRecordEvent(db: DatabaseSync): RecordEvent {
  const insert = db.prepare('INSERT INTO events (type, subject, at, data) VALUES (?, ?, ?, ?)')
  return (type, subject, at, data) => void insert.run(type, subject, at, data)
}

/** What the writer does to events themselves. Each runs inside a transaction of the writer's. */
export function eventWrites(db: DatabaseSync) {
  const forget = db.prepare(forgetEventsSql('?1', '?2'))

  return {
    forgetEvents(forgetting: Forgetting): number {
      return Number(forget.run(...forgetEventsValues(forgetting)).changes)
    },
  }
}
