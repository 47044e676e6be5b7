import { PetStoreError } from '../errors.ts'
import type { ImportPart } from '../imports.ts'
import {
  isKept,
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
  /** The id of the oldest event that is kept, one above the latest if there is none. */
  oldestEventId: bigint
}

/** Why nothing may be added to an import: another key began it, it was undone, or it is not listed any more. */
export type ImportRefusal = 'foreign' | 'undone' | 'expired'

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
  if (known !== undefined && !isKept(known, facts.oldestEventId)) return 'expired'
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

const refused: Record<ImportRefusal, string> = {
  foreign: 'of another key',
  undone: 'that was undone',
  expired: 'that is not listed any more, because some of its events have expired',
}

/** Nothing can be added to the import, also not by a retry. */
export class ImportRefused extends PetStoreError {
  constructor(refusal: ImportRefusal) {
    super('conflict', `importId belongs to an import ${refused[refusal]}: choose another one.`)
  }
}
