import type { DatabaseSync } from 'node:sqlite'
import { unavailable } from '../../../inventory/errors.ts'
import type { Imports } from '../../../inventory/imports.ts'
import type { Clock } from '../../../inventory/clock.ts'
import { idempotencyRetentionMs } from '../../../inventory/rules/idempotency.ts'
import { prepareRows, readsOf } from '../connection/database.ts'
import type { Writer } from '../writes/writer.ts'

/**
 * A batch touches most pages of the indexes by category and status, and writes each of them whole, so larger batches
 * write less. The minimum limits that on a slow machine, the maximum limits memory.
 */
const minBatchSize = 10_000
const maxBatchSize = 50_000
/** The target duration of a batch: other writers wait for it. */
const batchTimeMs = 300

export function sqliteImports(reader: DatabaseSync, writer: Writer, clock: Clock): Imports {
  const read = readsOf(reader)
  let batchSize = minBatchSize
  const bySource = prepareRows(reader, 'SELECT rows_done, finished FROM imports WHERE source = ?')

  const byKey = prepareRows(
    reader,
    'SELECT fingerprint, response FROM idempotency_records WHERE key_id = ? AND name = ? AND created_at > ?',
  )

  /** After a failure nothing is staged. */
  async function orDiscard<Result>(writing: Promise<Result>): Promise<Result> {
    try {
      return await writing
    } catch (error) {
      await writer.write('discardStagedPets', undefined).catch(() => undefined)
      throw error
    }
  }

  return {
    get batchSize() {
      return batchSize
    },
    stage: (pets) => orDiscard(writer.write('stagePets', pets)),
    async addStaged(count, step, author) {
      const at = clock()
      const isAdded = await orDiscard(writer.write('addStagedPets', { count, at, author, ...(step && { step }) }))
      if (isAdded === 'lost') throw unavailable(`Some of the ${count} staged animals were lost.`)
      batchSize = nextBatchSize(count, clock() - at)
      return isAdded
    },
    add: (pets, step, author) => writer.write('importPets', { pets, step, at: clock(), author }),
    stepOf: ({ keyId, name }) =>
      read(() => {
        const row = byKey.get(keyId, name, clock() - idempotencyRetentionMs) as
          | [fingerprint: string, body: string]
          | undefined
        return row && { fingerprint: row[0], body: row[1] }
      }),
    progress: (source) =>
      read(() => {
        const row = bySource.get(source) as [rowsDone: bigint, finished: bigint] | undefined
        return row === undefined ? undefined : { rows: Number(row[0]), finished: row[1] === 1n }
      }),
    forget: (source) => writer.write('forgetImport', source),
  }
}

/** The number of pets that take `batchTimeMs`, if `count` took `tookMs`, which may be less than a millisecond. */
function nextBatchSize(count: number, tookMs: number): number {
  const size = Math.round((count * batchTimeMs) / Math.max(tookMs, 1))
  return Math.min(Math.max(size, minBatchSize), maxBatchSize)
}
