import { createHash } from 'node:crypto'
import type { ImportResult, RejectedRow } from '../../contract/import-result.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { IdempotencyKey } from '../../inventory/idempotency-key.ts'
import type { Imports, ImportStep } from '../../inventory/imports.ts'
import { randomText } from '../../inventory/random-text.ts'

type Key = Pick<IdempotencyKey, 'keyId' | 'name'>

/** What became of the rows that are done. */
export interface ImportCounts {
  added: number
  rejected: number
  /** The first ones. */
  rejects: RejectedRow[]
  /** The number of categories that were made. */
  made: number
  /** The import that the rows belong to. */
  importId?: string
  /** The size of the file of rejected rows, if there is one. */
  rejectsBytes?: number
}

/** What the stored response of an import's idempotency key contains. */
interface StoredBody extends ImportCounts {
  /** The number of rows that are done. */
  rows: number
  /** Of an import that began anew. */
  run?: string
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
 * are done are compared with those of the first time by a digest, and neither added nor rejected again: what became of
 * them is stored, whatever has changed in the shop since.
 */
export interface ImportProgress {
  /** The number of rows that are done, and what became of them. */
  readonly done: number
  readonly counts: ImportCounts
  /** The result, if all rows are done. */
  readonly result: ImportResult | undefined
  /** Takes what precedes the rows. */
  begin(header: string): void
  /** Takes the next row as it is in the file. Throws if it cannot be of the same file. */
  take(row: string): void
  /** The step that stores the progress up to the last row that was taken. */
  step(counts: ImportCounts, result?: ImportResult): ImportStep
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

export const noCounts: ImportCounts = { added: 0, rejected: 0, rejects: [], made: 0 }

export function openImportProgress({ key, kind, stored, restart = false }: ProgressOptions): ImportProgress {
  const earlier = restart ? undefined : stored
  const {
    rows: done,
    result,
    run,
    fingerprint: _,
    ...counts
  } = earlier ?? {
    rows: 0,
    result: undefined,
    fingerprint: '',
    ...noCounts,
    // Not in the place of one that is still running: the same rows would have the same fingerprint, and both would go on.
    ...(restart && { run: randomText(12) }),
  }
  const digest = createHash('sha256').update(`${[kind, ...(run === undefined ? [] : [run])].join(' ')}\n`)
  const fingerprint = () => digest.copy().digest('base64url')
  let rows = 0
  let before = stored?.fingerprint

  function compare(): void {
    if (earlier !== undefined && rows === done && fingerprint() !== earlier.fingerprint) throw otherFile()
  }

  return {
    done,
    counts,
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
      const body: StoredBody = { rows, ...total, ...(run !== undefined && { run }), ...(all && { result: all }) }
      const step = { key: { ...key, fingerprint: now }, before, body: JSON.stringify(body) }
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
