import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { ChoiceLinks } from '../../components/choices.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Icon } from '../../components/icons.tsx'
import { Loading } from '../../components/loading.tsx'
import { useInvitations } from '../../state/invitations.ts'
import { isLastAdmin, useKeys, workingSuccessor } from '../../state/keys.ts'
import { hrefWith, type Query } from '../../state/route.ts'
import { useMay } from '../../state/session.ts'
import { useTask } from '../../state/task.ts'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { labelOf } from './key-label.ts'
import { KeyTable, type KeyTask } from './key-table.tsx'
import { MakeKey } from './make-key.tsx'
import { RenameKey } from './rename-key.tsx'
import { ReplaceKey } from './replace-key.tsx'
import { RevokeKey } from './revoke-key.tsx'

const choices = [
  { value: undefined, text: 'Active' },
  { value: 'all', text: 'All' },
]

/** Who may use the service, for admins. */
export function Keys({ query: { keys: chosen } }: { query: Query }): VNode {
  const may = useMay()
  const { result, error, isLoading, reload } = useKeys()
  const invitations = useInvitations(may('listInvitations'))
  const [task, setTask] = useState<KeyTask>()
  useTask('keys', 'invite', () => setTask({ kind: 'invite' }))
  const shown = result?.filter(({ state }) => chosen === 'all' || state === 'active')
  function readAgain(): void {
    void reload()
    void invitations.reload()
  }
  const dialog = { onClose: () => setTask(undefined), onDone: reload }

  return (
    <div class="view">
      <div class="view-head">
        <h1 tabindex={-1}>Keys</h1>
        <div class="view-actions">
          <button type="button" class="button" onClick={() => setTask({ kind: 'make' })}>
            Make a key
          </button>
          {may('createInvitation') && (
            <button type="button" class="button primary" onClick={() => setTask({ kind: 'invite' })}>
              <Icon name="plus" />
              <span>Invite a colleague</span>
            </button>
          )}
        </div>
      </div>
      <div class="filters">
        <ChoiceLinks
          label="State"
          choices={choices}
          chosen={chosen === 'all' ? 'all' : undefined}
          hrefOf={(value) => hrefWith({ keys: value })}
        />
      </div>
      <ErrorNotice error={error} retry={reload} />
      <div class="card table-card" aria-busy={isLoading ? 'true' : 'false'}>
        {shown === undefined ? (
          error === undefined && <Loading label="Loading the keys" />
        ) : (
          <KeyTable
            keys={shown}
            isLast={(key) => isLastAdmin(key, result ?? [])}
            labelOf={(key) => labelOf(key, result ?? [])}
            successorOf={(key) => workingSuccessor(key, result ?? [])}
            ask={setTask}
          />
        )}
      </div>
      <Invitations invitations={invitations} keys={result ?? []} onRevoked={readAgain} />
      <p class="note">
        Give each person and each program a key of their own. A key is shown once, when it is made; the service keeps
        only a hash of it.
      </p>
      {task?.kind === 'make' && <MakeKey {...dialog} />}
      {task?.kind === 'invite' && <Invite {...dialog} onDone={invitations.reload} />}
      {task?.kind === 'rename' && <RenameKey former={task.key} {...dialog} />}
      {task?.kind === 'replace' && <ReplaceKey former={task.key} {...dialog} />}
      {task?.kind === 'revoke' && <RevokeKey former={task.key} keys={result ?? []} {...dialog} />}
    </div>
  )
}
