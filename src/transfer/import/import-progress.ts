import { createHash } from 'node:crypto'
import type { ImportResult } from '../../contract/import-result.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { IdempotencyKey } from '../../inventory/idempotency-key.ts'
import type { Imports, ImportStep } from '../../inventory/imports.ts'

type Key = Pick<IdempotencyKey, 'keyId' | 'name'>

/** What the stored response of an import's idempotency key contains. */
interface StoredBody {
  /** The number of rows that are done, and of their pets. */
  rows: number
  added: number
  /** Once all rows are done. */
  result?: ImportResult
}

/** How far an earlier import of the same file came. */
export interface StoredProgress extends StoredBody {
  fingerprint: string
}

/** Undefined if there was none. Throws if the key was used for another operation. */
export async function storedProgress(imports: Imports, key: Key): Promise<StoredProgress | undefined> {
  const step = await imports.stepOf(key)
  if (step === undefined) return undefined
  const body = JSON.parse(step.body) as Partial<StoredBody>
  if (typeof body.rows !== 'number') throw otherFile()
  return { ...(body as StoredBody), fingerprint: step.fingerprint }
}

/**
 * The progress of an import with an idempotency key. An import that is resumed reads the whole file again; the rows that
 * are done are compared with those of the first time by a digest, and not added again.
 */
export interface ImportProgress {
  /** The number of rows that are done, and of their pets. */
  readonly done: number
  readonly added: number
  /** The result, if all rows are done. */
  readonly result: ImportResult | undefined
  /** Takes what precedes the rows. */
  begin(header: string): void
  /** Takes the next row as it is in the file. Throws if it cannot be of the same file. */
  take(row: string): void
  /** The step that stores the progress up to the last row that was taken. */
  step(added: number, result?: ImportResult): ImportStep
  /** Throws unless the file has ended where the earlier import found its end. */
  end(): void
}

export interface ProgressOptions {
  key: Key
  /** What else must be the same when an import is resumed. */
  kind: string
  stored: StoredProgress | undefined
  /** Whether to begin anew, in place of what is stored. */
  restart?: boolean
}

export function openImportProgress({ key, kind, stored, restart = false }: ProgressOptions): ImportProgress {
  const earlier = restart ? undefined : stored
  const { rows: done, added, result } = earlier ?? { rows: 0, added: 0 }
  const digest = createHash('sha256').update(`${kind}\n`)
  const fingerprint = () => digest.copy().digest('base64url')
  let rows = 0
  let before = stored?.fingerprint

  function compare(): void {
    if (earlier !== undefined && rows === done && fingerprint() !== earlier.fingerprint) throw otherFile()
  }

  return {
    done,
    added,
    result,
    begin: (header) => void digest.update(`${header}\n`, 'latin1'),
    take(row) {
      rows++
      if (result !== undefined && rows > done) throw otherFile()
      // Unambiguous: a row with line ends has them in quotes.
      digest.update(`${row}\n`, 'latin1')
      compare()
    },
    step(total, all) {
      const now = fingerprint()
      const body = JSON.stringify({ rows, added: total, ...(all && { result: all }) } satisfies StoredBody)
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

function otherFile(): PetStoreError {
  return new PetStoreError('idempotency_mismatch', 'This Idempotency-Key was used with another file.')
}
