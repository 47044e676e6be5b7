import type { ImportedPet, ImportedPets, ImportStep, StoredStep } from '../../../inventory/imports.ts'
import { lastExpired } from '../../../inventory/rules/idempotency.ts'
import { idempotencyColumns, toIdempotencyRow } from '../rows/idempotency-row.ts'

/** Stores the step of an import, on every engine. No row is changed if it does not replace the stored step. */
export function importStepSql(parameter: (number: number) => string) {
  const values = [1, 2, 3, 4, 5].map(parameter).join(', ')
  return {
    first: `
      INSERT INTO idempotency_records (${idempotencyColumns}) VALUES (${values})
        ON CONFLICT (key_id, name) DO UPDATE
          SET fingerprint = excluded.fingerprint, response = excluded.response, created_at = excluded.created_at
          WHERE idempotency_records.created_at <= ${parameter(6)}`,
    next: `
      UPDATE idempotency_records
        SET fingerprint = ${parameter(3)}, response = ${parameter(4)}, created_at = ${parameter(5)}
        WHERE key_id = ${parameter(1)} AND name = ${parameter(2)} AND fingerprint = ${parameter(6)}`,
  }
}

/** The statement for a step, and its values. */
export function importStepWrite({ key, before, body }: ImportStep, at: number) {
  const row = toIdempotencyRow(key, body, at)
  return before === undefined
    ? { which: 'first' as const, values: [...row, lastExpired(key, at)] as const }
    : { which: 'next' as const, values: [...row, before] as const }
}

/** Reads the step of a key. The parameters are the key's id and name, and the last time that has expired. */
export function storedStepSql(parameter: (number: number) => string): string {
  const [keyId, name, expired] = [1, 2, 3].map(parameter)
  return `
    SELECT fingerprint, response FROM idempotency_records
      WHERE key_id = ${keyId} AND name = ${name} AND created_at > ${expired}`
}

export function toStoredStep(row: readonly unknown[] | undefined): StoredStep | undefined {
  const [fingerprint, body] = (row ?? []) as [fingerprint?: string, body?: string]
  return fingerprint === undefined || body === undefined ? undefined : { fingerprint, body }
}

export function partsOf(pets: ImportedPets): Iterable<readonly ImportedPet[]> | AsyncIterable<readonly ImportedPet[]> {
  return Symbol.asyncIterator in pets ? pets : [pets]
}
