import { outcomeUnknown, PetStoreError, unavailable } from '../../../inventory/errors.ts'
import { isRule, ruleCost } from '../../../inventory/rules/rules.ts'
import {
  type Committer as GroupCommitter,
  type GroupingWriter,
  groupingWriter,
} from '../../shared/writes/grouping-writer.ts'
import { notStored, type Unanswered, unknownOutcome } from '../../shared/writes/unanswered.ts'
import { maxGroupCost } from '../../shared/writes/write-queue.ts'
import { type Health, watchHealth } from '../connection/health.ts'
import { isDamage, isTransient } from '../connection/errors.ts'
import { isImportWrite } from './import-writes.ts'
import {
  isBusy,
  type WriteFailure,
  type WriteName,
  type WriteRequest,
  type WriteResult,
  type Writes,
} from './writes.ts'

/** The writer of the engine. */
export interface Writer extends GroupingWriter<WriteRequest, WriteResult> {
  /** Resolves when the write is on disk. */
  write<Name extends WriteName>(name: Name, input: Parameters<Writes[Name]>[0]): Promise<ReturnType<Writes[Name]>>
}

export type Committer = GroupCommitter<WriteRequest, WriteResult>

export interface WriterOptions {
  /** Gets the result of every group. */
  health: Health
  /** How long a write waits for its result. */
  timeoutMs?: number | undefined
}

/** Longer than the lock timeout, so that a write that fails for a lock is known not to be stored. */
export const defaultWriteTimeoutMs = 5_000

/** Writes in groups, through any committer. */
export function sqliteWriter(
  committer: Committer,
  { health, timeoutMs }: WriterOptions = { health: watchHealth('') },
): Writer {
  async function commit(group: readonly WriteRequest[]): Promise<WriteResult[]> {
    const { damage } = health
    if (damage !== undefined) return group.map(() => refusal({ ...notWritten, cause: new Error(damage) }))
    const results = await committer.commit(group)
    report(results, health)
    return results
  }

  const writer = groupingWriter(
    { commit, close: () => committer.close() },
    {
      refusal,
      outcomeOf,
      isOutage: isBusy,
      costOf,
      mayExceedTimeout: ([name]) => isImportWrite(name),
      timeoutMs,
      failed: ({ message }) => health.cannotWrite(message),
    },
  )
  return {
    ...writer,
    async write(name, input) {
      const result = await writer.perform([name, input])
      if ('failure' in result) throw toError(result.failure)
      return result.value as never
    },
  }
}

function costOf([name, input]: WriteRequest): number {
  if (isRule(name)) return 1 + ruleCost(name, input)
  // An import has as many rows as a group may have: it is a group of its own.
  return isImportWrite(name) ? maxGroupCost : 1
}

function outcomeOf(result: WriteResult): 'stored' | 'failed' | 'unknown' {
  if (!('failure' in result)) return 'stored'
  return result.failure.mayHaveSucceeded ? 'unknown' : 'failed'
}

const notWritten = { message: 'Nothing can be written.', mayHaveSucceeded: false }

function refusal({ message, mayHaveSucceeded, cause }: Unanswered): WriteResult {
  return { failure: { message, mayHaveSucceeded, unavailable: true, cause: cause?.message } }
}

/** Reports whether writing works. The failure of a single write says nothing about the others. */
function report(results: readonly WriteResult[], health: Health): void {
  const failures = results.flatMap((result) => ('failure' in result ? [result.failure] : []))
  const damage = failures.find(({ sqliteCode }) => isDamage(sqliteCode))
  if (damage !== undefined) return health.foundDamage(damage.message)
  if (failures.length < results.length) return health.hasWritten()
  const outage = failures.find(isOutage)
  if (outage !== undefined) health.cannotWrite(outage.cause ?? `Nothing can be written: ${outage.message}.`)
}

function isOutage({ sqliteCode, unavailable: refused = false }: WriteFailure): boolean {
  return refused || isTransient(sqliteCode)
}

// A full disk or a held lock is temporary; any other refusal is a bug and must look like one.
function toError(failure: WriteFailure): Error {
  const { message, sqliteCode, mayHaveSucceeded = false, cause = message } = failure
  if (failure.isRefused) return new PetStoreError('conflict', message)
  if (!mayHaveSucceeded && !isOutage(failure) && !isDamage(sqliteCode)) return new Error(message)
  return mayHaveSucceeded ? outcomeUnknown(unknownOutcome, new Error(cause)) : unavailable(notStored, new Error(cause))
}
