import type { DatabaseSync } from 'node:sqlite'
import { prepareAttempts } from './idempotency.ts'
import { categoryWrites } from './category-writes.ts'
import { type PetCounts, preparePetCounts } from './counts.ts'
import { eventWrites, prepareRecordEvent } from './event-writes.ts'
import { importWrites } from './import-writes.ts'
import { keyWrites } from './key-writes.ts'
import { orderWrites } from './order-writes.ts'
import { petWrites } from './pet-writes.ts'
import { sqliteCode, sqliteCodeOf } from './result-codes.ts'

/** Every write of the engine by name: the writer thread runs them, the event loop only asks for them. */
export function prepareWrites(db: DatabaseSync, counts: PetCounts) {
  const recordEvent = prepareRecordEvent(db)
  const attempts = prepareAttempts(db)
  return {
    ...petWrites(db, counts, recordEvent, attempts),
    ...orderWrites(db, counts, recordEvent, attempts),
    ...categoryWrites(db),
    ...eventWrites(db),
    ...keyWrites(db),
    ...importWrites(db),
  }
}

export type Writes = ReturnType<typeof prepareWrites>
export type WriteName = keyof Writes

/** Sent between threads, so all of it can be cloned. */
export type WriteRequest = readonly [name: WriteName, input: unknown]
export type WriteResult = { value: unknown } | { failure: WriteFailure }
export interface WriteFailure {
  message: string
  /** SQLite's primary result code, when it was SQLite that refused. */
  sqliteCode?: number | undefined
  /** Refused before it came to a transaction: it may go better in a moment. */
  unavailable?: boolean
  /** For the log. */
  cause?: string | undefined
}

/**
 * Runs a group of writes in one transaction: a hundred animals cost one fsync, and every result is on disk when this
 * returns. If one of the group fails, the group is undone and each is run on its own, so that it fails alone.
 */
export function groupCommit(db: DatabaseSync): (group: readonly WriteRequest[]) => WriteResult[] {
  const counts = preparePetCounts(db)
  const writes = prepareWrites(db, counts) as Record<WriteName, (input: never) => unknown>
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')

  function run(group: readonly WriteRequest[]): WriteResult[] {
    try {
      begin.run()
    } catch (error) {
      return group.map(() => ({ failure: failureOf(error) })) // No lock to be had: waiting again for each would not help.
    }
    try {
      const results = group.map(([name, input]) => ({ value: writes[name](input as never) }))
      counts.flush()
      commit.run()
      return results
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      counts.discard()
      return group.length === 1 ? [{ failure: failureOf(error) }] : oneByOne(group)
    }
  }

  function oneByOne(group: readonly WriteRequest[]): WriteResult[] {
    const results: WriteResult[] = []
    for (const request of group) {
      const [result] = run([request]) as [WriteResult]
      results.push(result)
      // Another process has the lock now: what is left would wait for it as long, one after the other.
      if (isBusy(result)) return [...results, ...group.slice(results.length).map(() => result)]
    }
    return results
  }
  return run
}

function isBusy(result: WriteResult): boolean {
  return 'failure' in result && result.failure.sqliteCode === sqliteCode.busy
}

function failureOf(error: unknown): WriteFailure {
  return { message: error instanceof Error ? error.message : String(error), sqliteCode: sqliteCodeOf(error) }
}
