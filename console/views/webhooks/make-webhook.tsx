import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { CreatedWebhook, NewWebhook } from '../../../client/src/index.ts'
import { Dialog } from '../../components/dialog.tsx'
import { createWebhook } from '../../state/webhooks.ts'
import { NewSecret } from '../keys/new-secret.tsx'
import { WebhookForm } from './webhook-form.tsx'

interface MakeWebhookProps {
  onClose: () => void
  /** Called when there is a new webhook, or may be: if the response is lost, the list shows it. */
  onDone: () => unknown
}

export function MakeWebhook({ onClose, onDone }: MakeWebhookProps): VNode {
  const [made, setMade] = useState<CreatedWebhook>()
  const [isMaking, setMaking] = useState(false)
  async function save(webhook: NewWebhook): Promise<void> {
    setMaking(true)
    try {
      setMade(await createWebhook(webhook))
    } finally {
      setMaking(false)
      onDone()
    }
  }
  if (made !== undefined) {
    return (
      <NewSecret title="The secret of the webhook" secret={made.secret} onClose={onClose}>
        Your program verifies with it that an event comes from this shop. Events are sent from now on.
      </NewSecret>
    )
  }
  return (
    <Dialog label="Make a webhook" className="confirm" onClose={() => !isMaking && onClose()}>
      <h2>Make a webhook</h2>
      <WebhookForm submitText="Make the webhook" busyText="Making…" save={save} onClose={onClose} />
    </Dialog>
  )
}
