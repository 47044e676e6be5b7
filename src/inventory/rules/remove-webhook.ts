import { encodeWebhook } from '../../contract/webhook.ts'
import { isMet, type Precondition } from '../precondition.ts'
import { shownWebhook } from '../stored-webhook.ts'
import type { WebhookRemoval } from '../webhooks.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'

export interface RemoveWebhook {
  id: bigint
  precondition?: Precondition | undefined
}

export function removeWebhook(facts: Facts, { id, precondition }: RemoveWebhook): Decision<WebhookRemoval> {
  const webhook = facts.find('webhooks', id)
  if (webhook === undefined) return unchanged({ outcome: 'missing' })
  if (!isMet(precondition, encodeWebhook(shownWebhook(webhook)))) return unchanged({ outcome: 'unmet' })
  return changed({ outcome: 'removed' }, [{ type: 'resource.removed', table: 'webhooks', id }])
}
