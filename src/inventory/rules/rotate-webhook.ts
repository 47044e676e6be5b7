import { timeAfter } from '../../contract/time.ts'
import { shownWebhook, type StoredWebhook } from '../stored-webhook.ts'
import { secretGraceMs, type WebhookRotation } from '../webhooks.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'

export interface RotateWebhook {
  id: bigint
  secret: string
  at: number
}

/** Two rotations in a row end a secret at once. */
export function rotateWebhook(facts: Facts, { id, secret, at }: RotateWebhook): Decision<WebhookRotation> {
  const before = facts.find('webhooks', id)
  if (before === undefined) return unchanged({ outcome: 'missing' })
  const previousSecretExpiresAt = new Date(timeAfter(at, secretGraceMs)).toISOString()
  const item: StoredWebhook = { ...before, secret, previousSecret: before.secret, previousSecretExpiresAt }
  return changed({ outcome: 'rotated', webhook: shownWebhook(item), secret, previousSecretExpiresAt }, [
    { type: 'resource.put', table: 'webhooks', item },
  ])
}
