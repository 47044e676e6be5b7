import type { VNode } from 'preact'
import type { Key } from '../../../client/src/index.ts'
import { serviceNow } from '../../api/service-clock.ts'
import { Button } from '../../components/button.tsx'
import { formatTime } from '../../components/format.ts'
import { permissionTexts } from '../../components/permission-texts.ts'
import { TableHead } from '../../components/table-head.tsx'
import { useMay, useSignedIn } from '../../state/session.ts'
import { visibleText } from '../../state/visible-text.ts'

/** What the user is about to do. */
export type KeyTask = { kind: 'make' | 'invite' } | { kind: 'rename' | 'replace' | 'revoke'; key: Key }

const stateTexts: Record<Key['state'], string> = { active: 'Active', expired: 'Expired', revoked: 'Revoked' }

interface KeyTableProps {
  keys: readonly Key[]
  /** Whether the key cannot be revoked. */
  isLast: (key: Key) => boolean
  /** The key that works in the place of this one. */
  successorOf: (key: Key) => Key | undefined
  /** What it is called in the labels of its buttons. */
  labelOf: (key: Key) => string
  ask: (task: KeyTask) => void
}

const columns = [
  { className: 'name', text: 'Who' },
  { className: 'may', text: 'May' },
  { className: 'optional', text: 'Last used' },
  { className: 'key-state', text: 'State' },
]

export function KeyTable({ keys, isLast, successorOf, labelOf, ask }: KeyTableProps): VNode {
  return (
    <table class="key-table">
      <caption class="visually-hidden">Keys</caption>
      <TableHead columns={columns} hasActions />
      <tbody>
        {keys.map((key) => (
          <Row
            key={key.id}
            shown={key}
            label={labelOf(key)}
            isLast={isLast(key)}
            successor={successorOf(key)}
            ask={ask}
          />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  shown: Key
  label: string
  isLast: boolean
  successor: Key | undefined
  ask: KeyTableProps['ask']
}

function Row({ shown, label, isLast, successor, ask }: RowProps): VNode {
  const { id: ownId } = useSignedIn()
  const may = useMay()
  const { id, name, permission, state, lastUsedAt } = shown
  // The service stores it some seconds late. One's own key is used now.
  const usedAt = lastUsedAt ?? (id === ownId ? new Date(serviceNow()).toISOString() : undefined)
  const used = usedAt === undefined ? 'never used' : `used ${formatTime(usedAt)}`
  return (
    <tr>
      <td class="name">
        <b dir="auto">{visibleText(name)}</b>
        {id === ownId && <span class="badge">Your key</span>}
        {state === 'active' && successor !== undefined && <span class="badge">Old</span>}
        <span class="key-id">{id}</span>
        {may('updateKey') && (
          <button
            type="button"
            class="button plain small rename"
            onClick={() => ask({ kind: 'rename', key: shown })}
            aria-label={`Rename ${label}`}
          >
            Rename
          </button>
        )}
        <span class="below">
          {permissionTexts[permission].short} · {used} · {stateOf(shown)}
        </span>
      </td>
      <td class="may">{permissionTexts[permission].short}</td>
      <td class="optional">{usedAt === undefined ? 'Never' : formatTime(usedAt)}</td>
      <td class="key-state">{stateOf(shown)}</td>
      <td class="row-action">
        {state === 'active' && <Actions shown={shown} label={label} isLast={isLast} successor={successor} ask={ask} />}
      </td>
    </tr>
  )
}

function Actions({ shown, label, isLast, successor, ask }: RowProps): VNode {
  const reason = `${shown.id}-last`
  const replaced = `${shown.id}-replaced`
  return (
    <>
      <div class="key-actions">
        <Button
          className="button small"
          isDisabled={successor !== undefined}
          onClick={() => ask({ kind: 'replace', key: shown })}
          aria-label={`Replace ${label}`}
          aria-describedby={successor === undefined ? undefined : replaced}
        >
          Replace
        </Button>
        <Button
          className="button small"
          isDisabled={isLast}
          onClick={() => ask({ kind: 'revoke', key: shown })}
          aria-label={`Revoke ${label}`}
          aria-describedby={isLast ? reason : undefined}
        >
          Revoke
        </Button>
      </div>
      {successor !== undefined && (
        <p id={replaced} class="note">
          The new key {successor.id} replaces it. If the new one is lost, revoke that, and then replace this one again.
        </p>
      )}
      {isLast && (
        <p id={reason} class="note">
          The last admin key: make another first.
        </p>
      )}
    </>
  )
}

function stateOf({ state, expiresAt, revokedAt }: Key): string {
  if (revokedAt !== undefined) return `${stateTexts[state]} ${formatTime(revokedAt)}`
  if (expiresAt === undefined) return stateTexts[state]
  return state === 'active' ? `Active until ${formatTime(expiresAt)}` : `${stateTexts[state]} ${formatTime(expiresAt)}`
}
