import type { VNode } from 'preact'
import type { Key } from '../../../client/src/index.ts'
import { Confirm } from '../../components/dialog.tsx'
import { shortName } from '../../components/format.ts'
import { revokeKey } from '../../state/keys.ts'
import { notify } from '../../state/notices.ts'
import { useSignedIn } from '../../state/session.ts'
import type { KeyDialogProps } from './make-key.tsx'

/** Asks for confirmation, because it is final. */
export function RevokeKey({ former, onClose, onDone }: KeyDialogProps & { former: Key }): VNode {
  const { id: ownId } = useSignedIn()
  const name = <bdi>{shortName(former.name)}</bdi>
  async function revoke(): Promise<void> {
    await revokeKey(former)
    onClose()
    onDone()
    notify(<>The key of {name} is revoked</>)
  }
  return (
    <Confirm title="Revoke this key?" action="Revoke for good" isDangerous act={revoke} onClose={onClose}>
      Whoever uses the key of {name} is refused from then on. It cannot be undone.
      {former.id === ownId && ' It is your own key: you will be signed out.'}
    </Confirm>
  )
}
