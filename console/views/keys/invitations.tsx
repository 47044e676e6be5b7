import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Invitation, Key } from '../../../client/src/index.ts'
import { Confirm } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { shortName } from '../../components/format.ts'
import { removeInvitation } from '../../state/invitations.ts'
import type { Live } from '../../state/live.ts'
import { notify } from '../../state/notices.ts'
import { useMay } from '../../state/session.ts'
import { InvitationTable } from './invitation-table.tsx'

interface InvitationsProps {
  invitations: Live<Invitation[]>
  keys: readonly Key[]
  /** Called when one was taken back, or was used before that. */
  onRevoked: () => void
}

/** The invitations that were not used. Nothing if there are none. */
export function Invitations({ invitations, keys, onRevoked }: InvitationsProps): VNode | null {
  const { result = [], error, reload } = invitations
  const may = useMay()
  const [asked, setAsked] = useState<Invitation>()
  if (result.length === 0 && error === undefined) return null
  return (
    <>
      <h2>Invitations</h2>
      <ErrorNotice error={error} retry={reload} />
      {result.length > 0 && (
        <div class="card table-card">
          <InvitationTable invitations={result} keys={keys} takeBack={may('deleteInvitation') ? setAsked : undefined} />
        </div>
      )}
      {asked !== undefined && <TakeBack invitation={asked} onClose={() => setAsked(undefined)} onDone={onRevoked} />}
    </>
  )
}

interface TakeBackProps {
  invitation: Invitation
  onClose: () => void
  onDone: () => void
}

function TakeBack({ invitation, onClose, onDone }: TakeBackProps): VNode {
  const name = <bdi>{shortName(invitation.name)}</bdi>
  async function takeBack(): Promise<void> {
    const isRemoved = await removeInvitation(invitation)
    onClose()
    onDone()
    notify(
      isRemoved ? (
        <>The invitation of {name} is taken back</>
      ) : (
        <>
          The invitation of {name} was gone already. If there is a key of {name}, it was used
        </>
      ),
    )
  }
  return (
    <Confirm title="Take this invitation back?" action="Take it back" isDangerous act={takeBack} onClose={onClose}>
      The link for {name} does not work any more from then on. If it was used meanwhile, revoke the key of {name}.
    </Confirm>
  )
}
