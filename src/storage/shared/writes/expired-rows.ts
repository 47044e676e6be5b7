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

/**
 * Deletes the oldest rows of imports whose events are not kept any more, on every engine: `oldest` is the id of the
 * oldest event. Their ids ascend with their events. The parameter is the latest start of an import that is deleted.
 */
export function forgetImportsSql(oldest: string, latest: string): [parts: string, requests: string, imports: string] {
  const deletion = (table: string, condition = '') => `
    DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} ORDER BY id LIMIT ${maxDeleted})
      AND events_before + 1 < (${oldest})${condition}`
  return [
    deletion('import_parts'),
    deletion('import_requests'),
    deletion(
      'imports',
      ` AND started_at <= ${latest} AND NOT EXISTS (SELECT 1 FROM import_parts WHERE import_id = imports.id)`,
    ),
  ]
}

/** The parameter is the latest expiry of those that are deleted. */
export function forgetInvitationsSql(latest: string): string {
  return `
    DELETE FROM invitations WHERE id IN (
      SELECT id FROM invitations WHERE expires_at <= ${latest} ORDER BY expires_at LIMIT ${maxDeleted})`
}
