import { commandLineKeyId } from '../../../inventory/rules/idempotency.ts'

/** Responses deleted per transaction: few enough that other writes do not wait long. */
const maxDeleted = 1_000

/**
 * Deletes the oldest responses of idempotency keys, on every engine, apart from those that never expire. The parameter is
 * the latest time of these.
 */
export function deleteExpiredResponsesSql(latest: string): string {
  return `
    DELETE FROM idempotency_records WHERE (key_id, name) IN (
      SELECT key_id, name FROM idempotency_records WHERE created_at <= ${latest} AND key_id <> '${commandLineKeyId}'
        ORDER BY created_at LIMIT ${maxDeleted})`
}
