import type { VNode } from 'preact'
import type { Key } from '../../../client/src/index.ts'
import { ActionForm } from '../../components/action-form.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { shortName } from '../../components/format.ts'
import { useAction } from '../../state/action.ts'
import { renameKey } from '../../state/keys.ts'
import { notify } from '../../state/notices.ts'
import { useKeyName } from './key-name.tsx'
import type { KeyDialogProps } from './make-key.tsx'

export function RenameKey({ former, onClose, onDone }: KeyDialogProps & { former: Key }): VNode {
  const keyName = useKeyName({ name: former.name, hint: 'What was done before keeps the old name.' })
  const { name } = keyName
  const renaming = useAction(async () => {
    if (!keyName.check()) return
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
  return (
    <Dialog label="Rename this key" className="confirm" onClose={onClose}>
      <h2>Rename this key</h2>
      <ActionForm action={renaming} submitText="Rename" busyText="Renaming…" onClose={onClose}>
        {keyName.field(renaming.isRunning)}
      </ActionForm>
    </Dialog>
  )
}
