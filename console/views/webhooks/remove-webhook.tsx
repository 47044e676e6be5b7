import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Webhook } from '../../../client/src/index.ts'
import { Confirm } from '../../components/dialog.tsx'
import { notify } from '../../state/notices.ts'
import { removeWebhook } from '../../state/webhooks.ts'

/** At the end of the sheet, where nobody removes a webhook by mistake. */
export function RemoveWebhook({ webhook, onRemoved }: { webhook: Webhook; onRemoved: () => Promise<void> }): VNode {
  const [isAsking, setAsking] = useState(false)
  async function remove(): Promise<void> {
    await removeWebhook(webhook)
    await onRemoved()
    notify('The webhook is removed')
  }
  return (
    <section class="sheet-section">
      <button type="button" class="button plain danger-text" onClick={() => setAsking(true)}>
        Remove this webhook…
      </button>
      {isAsking && (
        <Confirm
          title="Remove this webhook?"
          action="Remove for good"
          isDangerous
          act={remove}
          onClose={() => setAsking(false)}
        >
          Nothing is sent to <bdi class="webhook-address">{webhook.url}</bdi> any more. It cannot be undone.
        </Confirm>
      )}
    </section>
  )
}
