import { PetStoreError } from '../errors.ts'
import type { ImportPart } from '../imports.ts'
import {
  maxImportPauseMs,
  type StoredImport,
  type StoredImportPart,
  type StoredImportRequest,
} from '../stored-import.ts'

/** What is stored, in the transaction of an import, before its pets are added. */
export interface ImportFacts {
  /** The import of that name. */
  known: StoredImport | undefined
  lastImportId: bigint
  lastRequestId: bigint
  lastPetId: bigint
  lastEventId: bigint
}

/** Why nothing may be added to an import: another key began it, or it was undone. */
export type ImportRefusal = 'foreign' | 'undone'

/** The rows to store. */
export interface ImportRecord {
  imports: [StoredImport]
  import_parts: StoredImportPart[]
  import_requests: StoredImportRequest[]
}

/** What to store of an import when `added` pets of one transaction get the next ids. */
export function addImportPart(
  facts: ImportFacts,
  { name, keyId, keyName, rejected, isLast, isOnly = false, digest }: ImportPart,
  added: number,
  at: number,
): ImportRecord | ImportRefusal {
  const { known, lastPetId, lastEventId: eventsBefore } = facts
  if (known !== undefined && known.keyId !== keyId) return 'foreign'
  if (known?.undoStartedAt !== undefined) return 'undone'
  const { runsUntil: marked, ...before } = known ?? {
    id: facts.lastImportId + 1n,
    name,
    keyId,
    keyName,
    startedAt: new Date(at).toISOString(),
    added: 0n,
    rejected: 0n,
    eventsBefore,
  }
  const importId = before.id
  const runsUntil = isLast ? (isOnly ? marked : undefined) : new Date(at + maxImportPauseMs).toISOString()
  return {
    imports: [
      {
        ...before,
        added: before.added + BigInt(added),
        rejected: before.rejected + BigInt(rejected),
        ...(runsUntil !== undefined && { runsUntil }),
      },
    ],
    import_parts:
      added === 0 ? [] : [{ id: lastPetId + BigInt(added), importId, firstPetId: lastPetId + 1n, eventsBefore }],
    import_requests: digest === undefined ? [] : [{ id: facts.lastRequestId + 1n, importId, digest, eventsBefore }],
  }
}

export function importRefused(refusal: ImportRefusal): PetStoreError {
  const why =
    refusal === 'foreign'
      ? 'importId belongs to an import of another key'
      : 'importId belongs to an import that was undone'
  return new PetStoreError('conflict', `${why}: choose another one.`)
}
