import type { NewWebhook } from '../../contract/webhook.ts'
import { shownWebhook, type StoredWebhook } from '../stored-webhook.ts'
import { maxWebhooks, type WebhookCreation } from '../webhooks.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'

export interface CreateWebhook {
  webhook: NewWebhook
  secret: string
  at: number
}

/** A new webhook gets the events from now on. */
export function createWebhook(facts: Facts, { webhook, secret, at }: CreateWebhook): Decision<WebhookCreation> {
  if (facts.countRows('webhooks') >= maxWebhooks) return unchanged({ outcome: 'full' })
  const { url, types, description, format = 'json' } = webhook
  const createdAt = new Date(at).toISOString()
  const item: StoredWebhook = {
    id: facts.nextId('webhooks'),
    url,
    ...(types !== undefined && { types: types.join(' ') }),
    ...(description !== undefined && { description }),
    format,
    createdAt,
    secret,
    startsAfter: facts.lastEventId(),
    activeSince: createdAt,
  }
  return changed({ outcome: 'created', webhook: shownWebhook(item), secret }, [
    { type: 'resource.put', table: 'webhooks', item },
  ])
}
