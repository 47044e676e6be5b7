import type { DisabledReason } from '../../../contract/webhook.ts'

// What ends in a database that comes from another one, because that one may still be in use.

/** Disables the webhooks of a database that nobody uses: another shop may send the same events. */
export function disableWebhooksSql(reason: DisabledReason, at: number): string {
  return `UPDATE webhooks SET disabled_at = ${at}, disabled_reason = '${reason}' WHERE disabled_at IS NULL`
}

/**
 * Ends the open invitations of a database that comes from another one: there they may have been used since, or be used
 * as well. They stay in the list, as expired ones. The parameter is the time.
 */
export function endInvitationsSql(now: string): string {
  return `UPDATE invitations SET expires_at = created_at WHERE expires_at > ${now}`
}
