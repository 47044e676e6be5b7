import type { DatabaseSync } from 'node:sqlite'
import type { Attempt } from '../../inventory/idempotency-key.ts'
import { prepareRows } from './database.ts'

const idempotencyRetentionMs = 24 * 60 * 60 * 1000

/** What came of an attempt that had been made before: its answer, or none when something else was asked then. */
export type Before = { answer: string } | 'mismatch'

/** The attempts of a day. Writes that honour one look it up first and remember it in the transaction of the change. */
export interface Attempts {
  /** Undefined when the attempt is the first of its name, or there is none. */
  find(attempt: Attempt | undefined, at: number): Before | undefined
  remember(attempt: Attempt | undefined, answer: string, at: number): void
}

export function prepareAttempts(db: DatabaseSync): Attempts {
  const find = prepareRows(db, 'SELECT fingerprint, answer FROM attempts WHERE key_id = ? AND name = ? AND made_at > ?')
  const remember = db.prepare('INSERT OR REPLACE INTO attempts VALUES (?, ?, ?, ?, ?)')
  // Every new attempt sweeps out two old ones, so the table shrinks as it is used and nothing has to run on a timer.
  const forget = db.prepare(`
    DELETE FROM attempts WHERE (key_id, name) IN
      (SELECT key_id, name FROM attempts WHERE made_at <= ? ORDER BY made_at LIMIT 2)`)

  return {
    find(attempt, at) {
      if (attempt === undefined) return undefined
      const row = find.get(attempt.keyId, attempt.name, at - idempotencyRetentionMs) as [string, string] | undefined
      if (row === undefined) return undefined
      return row[0] === attempt.fingerprint ? { answer: row[1] } : 'mismatch'
    },

    remember(attempt, answer, at) {
      if (attempt === undefined) return
      forget.run(at - idempotencyRetentionMs)
      remember.run(attempt.keyId, attempt.name, attempt.fingerprint, answer, at)
    },
  }
}
