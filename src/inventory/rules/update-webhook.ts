import { type DisabledReason, encodeWebhook, type WebhookChange } from '../../contract/webhook.ts'
import { isMet, type Precondition } from '../precondition.ts'
import { shownWebhook, type StoredWebhook } from '../stored-webhook.ts'
import type { WebhookUpdate } from '../webhooks.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'
import { withChange } from './change.ts'

export interface UpdateWebhook {
  id: bigint
  change: WebhookChange
  precondition?: Precondition | undefined
  at: number
}

/** A webhook that is enabled again gets the events from now on, and its earlier failures do not count. */
export function updateWebhook(facts: Facts, command: UpdateWebhook): Decision<WebhookUpdate> {
  const { id, precondition, at } = command
  const before = facts.find('webhooks', id)
  if (before === undefined) return unchanged({ outcome: 'missing' })
  if (!isMet(precondition, encodeWebhook(shownWebhook(before)))) return unchanged({ outcome: 'unmet' })
  const { enabled, types, ...texts } = command.change
  const described = withChange(before, { ...texts, types: types && types.join(' ') })
  const activeSince = described.url === before.url ? before.activeSince : new Date(at).toISOString()
  const item = withState({ ...described, activeSince }, enabled, facts, at)
  return changed({ outcome: 'updated', webhook: shownWebhook(item) }, [
    { type: 'resource.put', table: 'webhooks', item },
  ])
}

function withState(webhook: StoredWebhook, enabled: boolean | undefined, facts: Facts, at: number): StoredWebhook {
  const isEnabled = webhook.disabledAt === undefined
  if (enabled === undefined || enabled === isEnabled) return webhook
  if (!enabled) return disabled(webhook, 'requested', at)
  const { disabledAt: _at, disabledReason: _reason, ...rest } = webhook
  return { ...rest, startsAfter: facts.lastEventId(), activeSince: new Date(at).toISOString() }
}

export function disabled(webhook: StoredWebhook, reason: DisabledReason, at: number): StoredWebhook {
  return { ...webhook, disabledAt: new Date(at).toISOString(), disabledReason: reason }
}
