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

const stalls: Record<NonNullable<Webhook['stalledReason']>, string> = {
  storage: 'the shop cannot read or store what is needed',
  thread: 'the part that sends them does not respond',
  unattended: 'no part of the shop sends them',
}

/** Whether events are sent and taken, and since when and why not. */
export function WebhookState({ webhook }: { webhook: Webhook }): VNode {
  const { enabled, disabledAt, disabledReason = 'requested', failingSince, stalledSince, stalledReason } = webhook
  const state = !enabled
    ? 'off'
    : stalledSince !== undefined
      ? 'stalled'
      : failingSince === undefined
        ? 'on'
        : 'failing'
  const texts = {
    on: 'On',
    stalled: `No events are sent to anybody: ${stalls[stalledReason ?? 'unattended']}`,
    failing: 'Failing: it does not take its next event',
    off: reasons[disabledReason],
  }
  const since = enabled ? (stalledSince ?? failingSince) : disabledAt
  return (
    <span class="webhook-state" data-state={state}>
      <Icon name={state === 'on' ? 'check' : 'warning'} />
      <span>
        {texts[state]}
        {since !== undefined && `, since ${formatTime(since)}`}
      </span>
    </span>
  )
}
