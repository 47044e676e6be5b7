import type { DisabledReason } from '../../contract/webhook.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'
import { disabled } from './update-webhook.ts'

export interface DisableWebhook {
  id: bigint
  reason: DisabledReason
  /** Only if the webhook is as old as that. */
  activeSince?: number | undefined
  at: number
}

/** The outcome is whether it was disabled. The first reason stays. */
export function disableWebhook(
  facts: Facts,
  { id, reason, activeSince, at }: DisableWebhook,
): Decision<{ isDisabled: boolean }> {
  const webhook = facts.find('webhooks', id)
  const isOther = activeSince !== undefined && webhook?.activeSince !== new Date(activeSince).toISOString()
  if (webhook === undefined || webhook.disabledAt !== undefined || isOther) return unchanged({ isDisabled: false })
  const item = disabled(webhook, reason, at)
  return changed({ isDisabled: true }, [{ type: 'resource.put', table: 'webhooks', item }])
}
