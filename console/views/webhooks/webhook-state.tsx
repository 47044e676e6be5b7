import type { VNode } from 'preact'
import type { Webhook } from '../../../client/src/index.ts'
import { formatTime } from '../../components/format.ts'
import { Icon } from '../../components/icons.tsx'

const reasons: Record<NonNullable<Webhook['disabledReason']>, string> = {
  requested: 'Turned off',
  gone: 'Off: its address is gone (410)',
  failed: 'Off: it took no event for three days',
  restored: 'Off: the shop was restored from a backup',
  copied: 'Off: the shop was copied',
}

/** Whether events are sent, and since when and why not. */
export function WebhookState({ webhook }: { webhook: Webhook }): VNode {
  const { enabled, disabledAt, disabledReason = 'requested' } = webhook
  return (
    <span class="webhook-state" data-state={enabled ? 'on' : 'off'}>
      <Icon name={enabled ? 'check' : 'warning'} />
      <span>
        {enabled ? 'On' : reasons[disabledReason]}
        {disabledAt !== undefined && `, since ${formatTime(disabledAt)}`}
      </span>
    </span>
  )
}
