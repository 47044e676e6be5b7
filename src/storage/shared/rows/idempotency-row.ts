import type { IdempotencyKey } from '../../../inventory/idempotency-key.ts'
import { columnsOf } from '../../../inventory/snapshot.ts'
import type { StoredResponse } from '../../../inventory/rules/facts.ts'

/** The columns of `idempotency_records`, in the order of its rows. */
export const idempotencyColumns = columnsOf.idempotency_records.join(', ')

export type IdempotencyRow = [keyId: string, name: string, fingerprint: string, response: string, createdAt: bigint]

export function toStoredResponse([, , fingerprint, body, at]: IdempotencyRow): StoredResponse {
  return { fingerprint, body, at: Number(at) }
}

export function toIdempotencyRow(key: IdempotencyKey, body: string, at: number) {
  return [key.keyId, key.name, key.fingerprint, body, at] as const
}
