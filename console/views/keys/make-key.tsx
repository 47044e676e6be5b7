import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { CreatedKey, Key } from '../../../client/src/index.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { ChoiceButtons } from '../../components/choices.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { shortName } from '../../components/format.ts'
import { useAction } from '../../state/action.ts'
import { useForm } from '../../state/form.ts'
import { createKey, inHours } from '../../state/keys.ts'
import { useKeyName } from './key-name.tsx'
import { NewSecret } from './new-secret.tsx'
import { PermissionChoice } from './permission-choice.tsx'

const lifetimes = [
  { value: null, text: 'Never' },
  { value: 30, text: '30 days' },
  { value: 90, text: '90 days' },
  { value: 365, text: 'A year' },
] as const

const initial = { name: '', permission: 'write' as Key['permission'], days: null as number | null }

export interface KeyDialogProps {
  onClose: () => void
  /** Called when the keys have changed, or may have: if the response is lost, the list shows what was made. */
  onDone: () => unknown
}

export function MakeKey({ onClose, onDone }: KeyDialogProps): VNode {
  const form = useForm('new-api-key', initial)
  const keyName = useKeyName({ form, hint: 'A person or a program.' })
  const { name, permission, days } = form.values
  const [made, setMade] = useState<CreatedKey>()

  const making = useAction(async () => {
    if (!keyName.check()) return
    try {
      setMade(await createKey({ name, permission, expiresAt: days === null ? undefined : inHours(days * 24) }))
      form.drop()
    } finally {
      onDone()
    }
  })
  if (made !== undefined) {
    return (
      <NewSecret secret={made.key} onClose={onClose}>
        Give it to <bdi>{shortName(made.name)}</bdi>. It works at once.
      </NewSecret>
    )
  }
  return (
    <Dialog label="Make a key" className="confirm" onClose={() => !making.isRunning && onClose()}>
      <h2>Make a key</h2>
      <ActionForm
        form={form}
        firstField="key-name"
        action={making}
        submitText="Make the key"
        busyText="Making…"
        onClose={onClose}
      >
        {keyName.field(making.isRunning)}
        <PermissionChoice
          chosen={permission}
          isDisabled={making.isRunning}
          onChoose={(chosen) => form.set({ permission: chosen })}
        />
        <ChoiceButtons
          name="key-expiry"
          label="Expires"
          choices={lifetimes}
          chosen={days}
          isDisabled={making.isRunning}
          hint="It can be revoked at any time."
          onChoose={(chosen) => form.set({ days: chosen })}
        />
      </ActionForm>
    </Dialog>
  )
}
