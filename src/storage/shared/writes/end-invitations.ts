/** Invitations deleted per transaction: few enough that other writes do not wait long. */
const maxDeleted = 1_000

/**
 * Ends the open invitations of a database that comes from another one: there they may have been used since, or be used
 * as well. They stay in the list, as expired ones. The parameter is the time.
 */
export function endInvitationsSql(now: string): string {
  return `UPDATE invitations SET expires_at = created_at WHERE expires_at > ${now}`
}

/** The parameter is the latest expiry of those that are deleted. */
export function forgetInvitationsSql(latest: string): string {
  return `
    DELETE FROM invitations WHERE id IN (
      SELECT id FROM invitations WHERE expires_at <= ${latest} ORDER BY expires_at LIMIT ${maxDeleted})`
}
