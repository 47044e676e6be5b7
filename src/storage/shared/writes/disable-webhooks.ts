import type { DisabledReason } from '../../../contract/webhook.ts'

/** Disables the webhooks of a database that nobody uses: another shop may send the same events. */
export function disableWebhooksSql(reason: DisabledReason, at: number): string {
  return `UPDATE webhooks SET disabled_at = ${at}, disabled_reason = '${reason}' WHERE disabled_at IS NULL`
}
