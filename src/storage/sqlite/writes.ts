import type { DatabaseSync } from 'node:sqlite'
import { type PetCounts, preparePetCounts } from './counts.ts'
import { type FileIds, missingFiles } from './database-files.ts'
import { prepareRows } from './database.ts'
import { eventWrites } from './event-writes.ts'
import { importWrites } from './import-writes.ts'
import { keyWrites } from './key-writes.ts'
import { beginHistory } from './begin-history.ts'
import { newerSchema, schemaNumber } from './migrate.ts'
import { sqliteCode, sqliteCodeOf } from './errors.ts'
import { ruleWrites } from './rule-writes.ts'

/** Every write of the engine by name: the writer thread runs them, the event loop only asks for them. */
export function prepareWrites(db: DatabaseSync, counts: PetCounts) {
  return {
    ...ruleWrites(db, counts),
    ...eventWrites(db),
    ...keyWrites(db),
    ...importWrites(db),

    /** Changes nothing, and is written to disk as any change is. */
    probe(): void {
      db.exec(`PRAGMA user_version = ${schemaNumber(db)}`)
    },
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
  /** Refused for a reason that is not its own: it may go better in a moment. */
  unavailable?: boolean
  /** Whether it may be on disk all the same. */
  mayHaveSucceeded?: boolean
  /** For the operator. */
  cause?: string | undefined
}

/** What has to be as it was when the database was opened, for a write to be acknowledged. */
export interface CommitGuard {
  path: string
  /** The number of the schema that these writes are made for. */
  schema: number
  /** None for a database in memory. */
  files?: FileIds
}

/**
 * Runs a group of writes in one transaction: a hundred animals cost one fsync, and every result is on disk when this
 * returns. If one of the group fails, the group is undone and each is run on its own, so that it fails alone.
 */
export function groupCommit(
  db: DatabaseSync,
  { path, schema, files }: CommitGuard = { path: ':memory:', schema: schemaNumber(db) },
): (group: readonly WriteRequest[]) => WriteResult[] {
  const counts = preparePetCounts(db)
  const writes = prepareWrites(db, counts) as Record<WriteName, (input: never) => unknown>
  const begin = db.prepare('BEGIN IMMEDIATE')
  const beginStaging = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')
  const userVersion = prepareRows(db, 'PRAGMA user_version')
  let missing: string | undefined
  let hasBegun = false

  function currentSchema(): number {
    return Number((userVersion.get() as unknown as [bigint])[0])
  }

  function refuseMissing(group: readonly WriteRequest[], mayHaveSucceeded: boolean): WriteResult[] | undefined {
    missing = files === undefined ? undefined : missingFiles(path, files)
    return missing === undefined ? undefined : refuseAll(group, missing, mayHaveSucceeded)
  }

  function run(group: readonly WriteRequest[]): WriteResult[] {
    // Only where they were missing before: otherwise it is enough to look once, after the commit.
    const refused = missing === undefined ? undefined : refuseMissing(group, false)
    if (refused !== undefined) return refused
    // Pets are staged in a table of this connection alone, so without the write lock: others may write meanwhile.
    const isStaging = group.every(([name]) => name === 'stagePets')
    try {
      ;(isStaging ? beginStaging : begin).run()
    } catch (error) {
      return group.map(() => ({ failure: failureOf(error) })) // No lock to be had: waiting again for each would not help.
    }
    let results: WriteResult[] | undefined
    try {
      const newer = newerSchema(path, currentSchema(), schema)
      if (newer !== undefined) {
        db.exec('ROLLBACK')
        return refuseAll(group, newer, false)
      }
      // Whatever was done to the database while nobody wrote, it goes on in a history of its own.
      if (!hasBegun && !isStaging) beginHistory(db)
      results = group.map(([name, input]) => ({ value: writes[name](input as never) }))
      counts.flush()
      commit.run()
      hasBegun ||= !isStaging
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      counts.discard()
      const failure = failureOf(error)
      // The commit is in the log, and only its flush failed: after a crash it may be found there, and count.
      const mayHaveSucceeded = results !== undefined && failure.sqliteCode === sqliteCode.ioError
      if (mayHaveSucceeded) return group.map(() => ({ failure: { ...failure, mayHaveSucceeded } }))
      return group.length === 1 ? [{ failure }] : oneByOne(group)
    }
    return refuseMissing(group, true) ?? results
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

/** Whether it waited for a lock that another process did not let go of. */
export function isBusy(result: WriteResult): boolean {
  return 'failure' in result && result.failure.sqliteCode === sqliteCode.busy
}

function refuseAll(group: readonly WriteRequest[], cause: string, mayHaveSucceeded: boolean): WriteResult[] {
  return group.map(() => ({ failure: { message: cause, unavailable: true, mayHaveSucceeded, cause } }))
}

function failureOf(error: unknown): WriteFailure {
  return { message: error instanceof Error ? error.message : String(error), sqliteCode: sqliteCodeOf(error) }
}
