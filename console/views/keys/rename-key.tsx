import type { VNode } from 'preact'
import type { Key } from '../../../client/src/index.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { shortName } from '../../components/format.ts'
import { useAction } from '../../state/action.ts'
import { useForm } from '../../state/form.ts'
import { renameKey } from '../../state/keys.ts'
import { notify } from '../../state/notices.ts'
import { useKeyName } from './key-name.tsx'
import type { KeyDialogProps } from './make-key.tsx'

export function RenameKey({ former, onClose, onDone }: KeyDialogProps & { former: Key }): VNode {
  const form = useForm(`key-${former.id}`, { name: former.name })
  const keyName = useKeyName({ form, hint: 'What was done before keeps the old name.' })
  const { name } = form.values
  const renaming = useAction(async () => {
    if (!keyName.check()) return
    if (name !== former.name) {
      await renameKey(former, name)
      form.drop()
      onDone()
      notify(
        <>
          <bdi>{shortName(former.name)}</bdi> is now called <bdi>{shortName(name)}</bdi>
        </>,
      )
    }
    onClose()
  })
  return (
    <Dialog label="Rename this key" className="confirm" onClose={onClose}>
      <h2>Rename this key</h2>
      <ActionForm
        form={form}
        firstField="key-name"
        action={renaming}
        submitText="Rename"
        busyText="Renaming…"
        onClose={onClose}
      >
        {keyName.field(renaming.isRunning)}
      </ActionForm>
    </Dialog>
  )
}
