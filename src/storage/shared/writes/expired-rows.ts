import { commandLineKeyId } from '../../../inventory/rules/idempotency.ts'

/** Rows deleted per transaction: few enough that other writes do not wait long. */
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

/** The parameter is the latest expiry of those that are deleted. */
export function forgetInvitationsSql(latest: string): string {
  return `
    DELETE FROM invitations WHERE id IN (
      SELECT id FROM invitations WHERE expires_at <= ${latest} ORDER BY expires_at LIMIT ${maxDeleted})`
}
