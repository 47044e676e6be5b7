import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Key, RotatedKey } from '../../../client/src/index.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { ChoiceButtons } from '../../components/choices.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { formatTime, shortName } from '../../components/format.ts'
import { useAction } from '../../state/action.ts'
import { useForm } from '../../state/form.ts'
import { rotateKey } from '../../state/keys.ts'
import { useSignedIn } from '../../state/session.ts'
import type { KeyDialogProps } from './make-key.tsx'
import { NewSecret } from './new-secret.tsx'

const graces = [
  { value: 1, text: 'An hour' },
  { value: 24, text: 'A day' },
  { value: 24 * 7, text: 'A week' },
] as const

/** Makes a successor; the old key works for a while, so that nobody is interrupted. */
export function ReplaceKey({ former, onClose, onDone }: KeyDialogProps & { former: Key }): VNode {
  const { id: ownId } = useSignedIn()
  const form = useForm(`replace-${former.id}`, { hours: 24 })
  const [made, setMade] = useState<RotatedKey>()
  const replacing = useAction(async () => {
    try {
      setMade(await rotateKey(former, form.values.hours))
      form.drop()
    } finally {
      onDone()
    }
  })
  const name = <bdi>{shortName(former.name)}</bdi>
  if (made !== undefined) {
    return (
      <NewSecret secret={made.key} onClose={onClose}>
        {former.id === ownId ? 'Sign in with it.' : <>Give it to {name}.</>} The old key works until{' '}
        {formatTime(made.replacedKeyExpiresAt)}.
      </NewSecret>
    )
  }
  return (
    <Dialog label="Replace this key" className="confirm" onClose={() => !replacing.isRunning && onClose()}>
      <h2>Replace this key?</h2>
      <p>{name} gets a new key that may do the same.</p>
      <ActionForm
        form={form}
        firstField="key-grace"
        action={replacing}
        submitText="Make a new key"
        busyText="Replacing…"
        onClose={onClose}
      >
        <ChoiceButtons
          name="key-grace"
          label="The old key works for"
          choices={graces}
          chosen={form.values.hours}
          isDisabled={replacing.isRunning}
          hint="Time to change it wherever it is used."
          onChoose={(hours) => form.set({ hours })}
        />
      </ActionForm>
    </Dialog>
  )
}
