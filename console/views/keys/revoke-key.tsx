import type { ComponentChildren, VNode } from 'preact'
import type { Key } from '../../../client/src/index.ts'
import { Confirm } from '../../components/dialog.tsx'
import { formatTime, shortName } from '../../components/format.ts'
import { revokeKey, workingSuccessor } from '../../state/keys.ts'
import { notify } from '../../state/notices.ts'
import { useSignedIn } from '../../state/session.ts'
import type { KeyDialogProps } from './make-key.tsx'

interface RevokeKeyProps extends KeyDialogProps {
  former: Key
  /** All keys. */
  keys: readonly Key[]
}

/** Asks for confirmation, because it is final. */
export function RevokeKey({ former, keys, onClose, onDone }: RevokeKeyProps): VNode {
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
      Whoever uses the key of {name}, <code>{former.id}</code>, is refused from then on. It cannot be undone.
      <WhichOne of={former} keys={keys} />
      {former.id === ownId && ' It is your own key: you will be signed out.'}
    </Confirm>
  )
}

/** Which of two keys with the same name it is, after a replacement. */
function WhichOne({ of, keys }: { of: Key; keys: readonly Key[] }): ComponentChildren {
  const successor = workingSuccessor(of, keys)
  const former = keys.find((key) => key.replacedBy === of.id && key.state === 'active')
  if (successor !== undefined)
    return (
      <>
        {' '}
        It is the old key{of.expiresAt !== undefined && `, which ends ${formatTime(of.expiresAt)}`}. The new one,{' '}
        <code>{successor.id}</code>, goes on working.
      </>
    )
  if (former === undefined) return null
  return (
    <>
      {' '}
      It is the new key. Only the old one, <code>{former.id}</code>, is left then
      {former.expiresAt !== undefined && `, and ends ${formatTime(former.expiresAt)}`}.
    </>
  )
}
