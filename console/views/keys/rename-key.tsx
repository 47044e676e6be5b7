import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Key } from '../../../client/src/index.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { shortName } from '../../components/format.ts'
import { useAction } from '../../state/action.ts'
import { renameKey } from '../../state/keys.ts'
import { notify } from '../../state/notices.ts'
import { useSignedIn } from '../../state/session.ts'
import type { KeyDialogProps } from './make-key.tsx'
import { NewKeyActions } from './new-key-actions.tsx'

export function RenameKey({ former, onClose, onDone }: KeyDialogProps & { former: Key }): VNode {
  const { rules } = useSignedIn()
  const [name, setName] = useState(former.name)
  const [fault, setFault] = useState<string>()
  const renaming = useAction(async () => {
    const wrong = rules.keyName(name)
    setFault(wrong)
    if (wrong !== undefined) return document.getElementById('key-name')?.focus()
    if (name !== former.name) {
      await renameKey(former, name)
      onDone()
      notify(
        <>
          <bdi>{shortName(former.name)}</bdi> is now called <bdi>{shortName(name)}</bdi>
        </>,
      )
    }
    onClose()
  })
  function onSubmit(event: Event): void {
    event.preventDefault()
    void renaming.run()
  }
  return (
    <Dialog label="Rename this key" className="confirm" onClose={onClose}>
      <h2>Rename this key</h2>
      <form class="order-form" onSubmit={onSubmit} noValidate>
        <Field
          id="key-name"
          label="Who is it for?"
          hint="What was done before keeps the old name."
          fault={fault}
          control={(tied) => (
            <input
              {...tied}
              dir="auto"
              autocomplete="off"
              readonly={renaming.isRunning}
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        />
        <NewKeyActions {...renaming} cancelText="Cancel" submitText="Rename" busyText="Renaming…" onClose={onClose} />
      </form>
    </Dialog>
  )
}
