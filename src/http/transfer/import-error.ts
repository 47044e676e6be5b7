import { internal, PetStoreError } from '../../inventory/errors.ts'
import { ImportRefused } from '../../inventory/rules/add-import-part.ts'
import { InvalidFile } from '../../transfer/formats/format.ts'
import { type ImportStopped, KeyInUse } from '../../transfer/import/import-errors.ts'

/** The error of an import that ended early: why, and what became of the file so far. `madeId`: the client does not know it. */
export function importError(
  { cause, added, unknown }: ImportStopped,
  isKeyed: boolean,
  madeId: string | undefined,
): PetStoreError {
  const error = toPetStoreError(cause)
  if (error.code === 'idempotency_mismatch' || error instanceof KeyInUse) return error
  const { code, message, retryAfterSeconds, fields } = error
  const known = added === 0 ? 'No animals were added' : `${added} ${added === 1 ? 'animal was' : 'animals were'} added`
  const more = unknown > 0 ? '; it is unknown whether the next ones were' : ''
  const retry =
    isKeyed && !(error instanceof ImportRefused)
      ? ' Send the whole file with the same Idempotency-Key to add the rest.'
      : ''
  const undo = added > 0 && madeId !== undefined ? ` The importId is ${madeId}.` : ''
  return new PetStoreError(code, `${message} ${known}${more}.${retry}${undo}`, {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    fields,
    cause: error.cause,
  })
}

function toPetStoreError(cause: unknown): PetStoreError {
  if (cause instanceof InvalidFile) return new PetStoreError('invalid_body', cause.message, { fields: [] })
  return cause instanceof PetStoreError ? cause : internal(cause)
}
