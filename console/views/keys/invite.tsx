import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { CreatedInvitation, Key } from '../../../client/src/index.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { formatTime, shortName } from '../../components/format.ts'
import { useAction } from '../../state/action.ts'
import { useForm } from '../../state/form.ts'
import { createInvitation } from '../../state/invitations.ts'
import { useKeyName } from './key-name.tsx'
import type { KeyDialogProps } from './make-key.tsx'
import { NewSecret } from './new-secret.tsx'
import { PermissionChoice } from './permission-choice.tsx'

/** Makes a link that gives a colleague a key of their own. */
export function Invite({ onClose, onDone }: KeyDialogProps): VNode {
  const form = useForm<Pick<Key, 'name' | 'permission'>>('invitation', { name: '', permission: 'write' })
  const keyName = useKeyName({ form, hint: 'Their key gets this name.' })
  const [made, setMade] = useState<CreatedInvitation>()
  const inviting = useAction(async () => {
    if (!keyName.check()) return
    try {
      setMade(await createInvitation(form.values))
      form.drop()
    } finally {
      onDone()
    }
  })
  if (made !== undefined) {
    return (
      <NewSecret title="The invitation" secret={made.link} onClose={onClose}>
        Send this link to <bdi>{shortName(made.name)}</bdi>, and to nobody else: it gives a key to whoever opens it
        first. It works once, until {formatTime(made.expiresAt)}.
      </NewSecret>
    )
  }
  return (
    <Dialog label="Invite a colleague" className="confirm" onClose={() => !inviting.isRunning && onClose()}>
      <h2>Invite a colleague</h2>
      <ActionForm
        form={form}
        firstField="key-name"
        action={inviting}
        submitText="Make the link"
        busyText="Making…"
        onClose={onClose}
      >
        {keyName.field(inviting.isRunning)}
        <PermissionChoice
          chosen={form.values.permission}
          isDisabled={inviting.isRunning}
          onChoose={(permission) => form.set({ permission })}
        />
      </ActionForm>
    </Dialog>
  )
}
