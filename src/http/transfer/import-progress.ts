import { createHash } from 'node:crypto'
import type { ImportResult } from '../../contract/import-result.ts'
import { newPetMembers } from '../../contract/pet.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { IdempotencyKey } from '../../inventory/idempotency-key.ts'
import type { Imports, KeyedStep, StoredStep } from '../../inventory/imports.ts'
import type { Row } from '../../transfer/formats/format.ts'

/** What the stored response of an import's idempotency key contains. */
interface StoredProgress {
  /** The number of rows that are done. */
  rows: number
  /** Once all rows are done. */
  result?: ImportResult
}

/**
 * The progress of an import with an idempotency key. A retry sends the whole file again; the rows that are done are
 * compared with those of the first request by a digest, and not added again.
 */
export interface ImportProgress {
  /** The number of rows that earlier requests have done. */
  readonly done: number
  /** The result, if an earlier request has done all rows. */
  readonly result: ImportResult | undefined
  /** Takes the next row. Throws if it cannot be of the same file. */
  take(row: Row): void
  /** The step that stores the progress up to the last row that was taken. */
  step(result?: ImportResult): KeyedStep
  /** Throws unless the file has ended where an earlier request found its end. */
  end(): void
}

/** `kind` is what else must be the same in a retry. */
export async function openImportProgress(
  imports: Imports,
  key: Pick<IdempotencyKey, 'keyId' | 'name'>,
  kind: string,
): Promise<ImportProgress> {
  const stored = await imports.stepOf(key)
  const { rows: done, result } = stored === undefined ? { rows: 0 } : readProgress(stored)
  const digest = createHash('sha256').update(`${kind}\n`)
  const fingerprint = () => digest.copy().digest('base64url')
  let rows = 0
  let before = stored?.fingerprint

  function compare(): void {
    if (stored !== undefined && rows === done && fingerprint() !== stored.fingerprint) throw otherFile()
  }

  return {
    done,
    result,
    take(row) {
      rows++
      if (result !== undefined && rows > done) throw otherFile()
      digest.update(textOf(row))
      compare()
    },
    step(all) {
      const now = fingerprint()
      const body = JSON.stringify({ rows, ...(all && { result: all }) } satisfies StoredProgress)
      const step = { key: { ...key, fingerprint: now }, before, body }
      before = now
      return step
    },
    end() {
      if (rows < done) throw otherFile()
      compare()
    },
  }
}

/** Throws if the key was used for another operation. */
function readProgress({ body }: StoredStep): StoredProgress {
  const progress = JSON.parse(body) as Partial<StoredProgress>
  if (typeof progress.rows !== 'number') throw otherFile()
  return progress as StoredProgress
}

/** Unambiguous: a name has no NUL. */
function textOf(row: Row): string {
  if ('reason' in row) return `\0${row.line}\0${row.original.toString('latin1')}\n`
  return `${newPetMembers.map((name) => row.pet[name] ?? '').join('\0')}\n`
}

function otherFile(): PetStoreError {
  return new PetStoreError('idempotency_mismatch', 'This Idempotency-Key was used with another file.')
}
