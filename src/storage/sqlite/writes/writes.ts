import type { DatabaseSync } from 'node:sqlite'
import { deliveryWrites } from './delivery-writes.ts'
import { maintenanceWrites } from './maintenance-writes.ts'
import { type Counts, prepareCounts } from '../schema/counts.ts'
import { type FileIds, missingFiles } from '../connection/database-files.ts'
import { prepareOneRow } from '../connection/database.ts'
import { importWrites } from './import-writes.ts'
import { beginLineage } from './begin-lineage.ts'
import { adviceFor, saveDeletedLog } from './save-log.ts'
import { otherSchema, schemaNumber } from '../schema/migrate.ts'
import { sqliteCode, sqliteCodeOf } from '../connection/errors.ts'
import { ruleWrites } from '../rules/rule-writes.ts'
import type { Write } from './write-kind.ts'

/** Every write of the engine by name. The writer thread runs them; the event loop only requests them. */
function prepareWrites(db: DatabaseSync, counts: Counts) {
  return {
    ...ruleWrites(db, counts),
    ...maintenanceWrites(db),
    ...importWrites(db, counts.days),
    ...deliveryWrites(db),

    /** Changes nothing, but is written to disk like any change. */
    probe(): void {
      db.exec(`PRAGMA user_version = ${schemaNumber(db)}`)
    },
  }
}

export type Writes = ReturnType<typeof prepareWrites>
export type WriteName = keyof Writes

/** Sent between threads, so it must be cloneable. */
export type WriteRequest = readonly [name: WriteName, input: unknown]
export type WriteResult = { value: unknown } | { failure: WriteFailure }
export interface WriteFailure {
  message: string
  /** SQLite's primary result code, if SQLite refused. */
  sqliteCode?: number | undefined
  /** Refused by `CommitGuard.refuse`; the message is for the client. */
  isRefused?: boolean
  /** Refused for an external reason: a retry may succeed. */
  unavailable?: boolean
  /** Whether it may still be on disk. */
  mayHaveSucceeded?: boolean
  /** For the operator. */
  cause?: string | undefined
}

/** What must be unchanged since the database was opened, for a write to be acknowledged. */
export interface CommitGuard {
  path: string
  /** The schema number of these writes. */
  schema: number
  /** Undefined for an in-memory database. */
  files?: FileIds
  /** Whether the lineage of these writes has begun. Otherwise the first write begins it. */
  hasLineage?: boolean
  /** Asked at the end of every transaction: why it must not be committed, for the client. */
  refuse?: (() => string | undefined) | undefined
}

class RefusedCommit extends Error {}

/**
 * Runs a group of writes in one transaction: a hundred animals cost one fsync, and every result is on disk when this
 * returns. If a write fails, the group is rolled back and its writes are run one by one.
 */
export function groupCommit(
  db: DatabaseSync,
  { path, schema, files, hasLineage = false, refuse }: CommitGuard = { path: ':memory:', schema: schemaNumber(db) },
): (group: readonly WriteRequest[]) => WriteResult[] {
  const counts = prepareCounts(db)
  const writes = prepareWrites(db, counts) as Record<WriteName, Write>
  const begin = db.prepare('BEGIN IMMEDIATE')
  const beginStaging = db.prepare('BEGIN')
  const commit = db.prepare('COMMIT')
  const totalChanges = prepareOneRow<[bigint]>(db, 'SELECT total_changes()')
  const countChange = db.prepare('UPDATE pet_totals SET changes = changes + 1')
  const countBookkeeping = db.prepare('UPDATE pet_totals SET bookkeeping = bookkeeping + 1')
  const userVersion = prepareOneRow<[bigint]>(db, 'PRAGMA user_version')
  let missing: string | undefined
  /** Whether all that was stored is in the database, although its log is missing. */
  let isSaved = false
  let hasBegun = hasLineage

  function currentSchema(): number {
    return Number(userVersion.get()[0])
  }

  function changeCount(): bigint {
    return totalChanges.get()[0]
  }

  function rollBack(): void {
    counts.discard()
    // Some failures end the transaction.
    if (db.isTransaction) db.exec('ROLLBACK')
  }

  function refuseMissing(group: readonly WriteRequest[], mayHaveSucceeded: boolean): WriteResult[] | undefined {
    missing = files === undefined ? undefined : missingFiles(path, files)
    if (files === undefined || missing === undefined) {
      isSaved = false
      return undefined
    }
    isSaved ||= saveDeletedLog(db, path, files)
    return refuseAll(group, `${missing} ${adviceFor(path, isSaved)}`, mayHaveSucceeded)
  }

  function run(group: readonly WriteRequest[]): WriteResult[] {
    // Only if files were missing before: otherwise one check after the commit is enough.
    const refused = missing === undefined ? undefined : refuseMissing(group, false)
    if (refused !== undefined) return refused
    // Pets are staged in a table of this connection, without the write lock, so that others can write meanwhile.
    const isStaging = group.every(([name]) => writes[name].kind === 'staging')
    const isBookkeeping = group.every(([name]) => writes[name].kind === 'bookkeeping')
    try {
      ;(isStaging ? beginStaging : begin).run()
    } catch (error) {
      rollBack()
      return group.map(() => ({ failure: failureOf(error) })) // The lock is taken: waiting again for each write would not help.
    }
    let results: WriteResult[] | undefined
    try {
      const other = otherSchema(path, currentSchema(), schema)
      if (other !== undefined) {
        rollBack()
        return refuseAll(group, other, false)
      }
      // A new lineage: the database may have been changed while no writer ran.
      if (!hasBegun && !isStaging) beginLineage(db)
      const before = changeCount()
      results = group.map(([name, input]) => ({ value: writes[name](input as never) }))
      counts.flush()
      if (!isStaging && changeCount() !== before) (isBookkeeping ? countBookkeeping : countChange).run()
      const refusal = refuse?.()
      if (refusal !== undefined) throw new RefusedCommit(refusal)
      commit.run()
      hasBegun ||= !isStaging
    } catch (error) {
      const hasEnded = !db.isTransaction
      rollBack()
      const failure = failureOf(error)
      // The commit is in the log and only its flush failed: it may count after a crash. Or SQLite did not refuse it.
      const mayHaveSucceeded =
        results !== undefined &&
        (failure.sqliteCode === sqliteCode.ioError || (hasEnded && failure.sqliteCode === undefined))
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
      // Another process has the lock: the remaining writes would wait for it one by one.
      if (isBusy(result)) return [...results, ...group.slice(results.length).map(() => result)]
    }
    return results
  }
  return run
}

/** Whether it timed out waiting for the lock of another process. */
export function isBusy(result: WriteResult): boolean {
  return 'failure' in result && result.failure.sqliteCode === sqliteCode.busy
}

function refuseAll(group: readonly WriteRequest[], cause: string, mayHaveSucceeded: boolean): WriteResult[] {
  return group.map(() => ({ failure: { message: cause, unavailable: true, mayHaveSucceeded, cause } }))
}

function failureOf(error: unknown): WriteFailure {
  if (error instanceof RefusedCommit) return { message: error.message, isRefused: true }
  return { message: error instanceof Error ? error.message : String(error), sqliteCode: sqliteCodeOf(error) }
}
