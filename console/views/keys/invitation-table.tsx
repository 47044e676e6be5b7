import type { VNode } from 'preact'
import type { Invitation, Key } from '../../../client/src/index.ts'
import { formatTime, shortName } from '../../components/format.ts'
import { serviceNow } from '../../api/service-clock.ts'
import { permissionTexts } from '../../components/permission-texts.ts'
import { TableHead } from '../../components/table-head.tsx'
import { useSignedIn } from '../../state/session.ts'
import { visibleText } from '../../state/visible-text.ts'

interface InvitationTableProps {
  invitations: readonly Invitation[]
  keys: readonly Key[]
  /** Undefined if this key may not. */
  takeBack: ((invitation: Invitation) => void) | undefined
}

const columns = [
  { className: 'name', text: 'Who' },
  { className: 'may', text: 'May' },
  { className: 'optional', text: 'Invited by' },
  { className: 'key-state', text: 'State' },
]

/** Who was invited and has not come yet. */
export function InvitationTable({ invitations, keys, takeBack }: InvitationTableProps): VNode {
  const own = useSignedIn()
  return (
    <table class="key-table invitation-table">
      <caption class="visually-hidden">Open invitations</caption>
      <TableHead columns={columns} hasActions={takeBack !== undefined} />
      <tbody>
        {invitations.map((invitation) => (
          <tr key={invitation.id}>
            <td class="name">
              <b dir="auto">{visibleText(invitation.name)}</b>
              <span class="below">
                {permissionTexts[invitation.permission].short} · {stateOf(invitation)}
              </span>
            </td>
            <td class="may">{permissionTexts[invitation.permission].short}</td>
            <td class="optional">
              <bdi>{inviterOf(invitation, [...keys, own])}</bdi>
            </td>
            <td class="key-state">{stateOf(invitation)}</td>
            {takeBack !== undefined && (
              <td class="row-action">
                <button
                  type="button"
                  class="button small"
                  onClick={() => takeBack(invitation)}
                  aria-label={`Take back the invitation of ${shortName(invitation.name)}`}
                >
                  Take back
                </button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The key of the settings is in no list; it may be the user's own. */
function inviterOf({ invitedBy }: Invitation, keys: readonly Pick<Key, 'id' | 'name'>[]): string {
  if (invitedBy === undefined) return 'The command line'
  return keys.find(({ id }) => id === invitedBy)?.name ?? 'A key of the settings'
}

function stateOf({ state, expiresAt }: Invitation): string {
  if (state === 'open') return `Open until ${formatTime(expiresAt)}`
  // Otherwise whoever invited them has no key any more.
  return Date.parse(expiresAt) <= serviceNow() ? `Expired ${formatTime(expiresAt)}` : 'Ended'
}
