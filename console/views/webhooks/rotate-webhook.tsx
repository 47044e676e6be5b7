import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { RotatedWebhook, Webhook } from '../../../client/src/index.ts'
import { Confirm } from '../../components/dialog.tsx'
import { formatTime } from '../../components/format.ts'
import { rotateWebhook } from '../../state/webhooks.ts'
import { NewSecret } from '../keys/new-secret.tsx'

/** Makes a new secret; the old one signs for a day more, so that nobody is interrupted. */
export function RotateWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }): VNode {
  const [rotated, setRotated] = useState<RotatedWebhook>()
  if (rotated !== undefined) {
    return (
      <NewSecret title="The new secret" secret={rotated.secret} onClose={onClose}>
        Give it to your program. Until {formatTime(rotated.previousSecretExpiresAt)} events are signed with the old
        secret, too.
      </NewSecret>
    )
  }
  return (
    <Confirm
      title="Make a new secret?"
      action="Make a new secret"
      staysOpen
      act={async () => setRotated(await rotateWebhook(webhook))}
      onClose={onClose}
    >
      For 24 hours events are signed with both secrets: time to change it in your program. A second new secret ends the
      old one at once.
    </Confirm>
  )
}
