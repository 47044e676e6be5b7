import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Key } from '../../../client/src/index.ts'
import { ChoiceLinks } from '../../components/choices.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Icon } from '../../components/icons.tsx'
import { Loading } from '../../components/loading.tsx'
import { isLastAdmin, useKeys } from '../../state/keys.ts'
import { hrefWith, type Query } from '../../state/route.ts'
import { KeyTable } from './key-table.tsx'
import { MakeKey } from './make-key.tsx'
import { RenameKey } from './rename-key.tsx'
import { ReplaceKey } from './replace-key.tsx'
import { RevokeKey } from './revoke-key.tsx'

const choices = [
  { value: undefined, text: 'Active' },
  { value: 'all', text: 'All' },
]

/** What the user is about to do. */
export type KeyTask = { kind: 'make' } | { kind: 'rename' | 'replace' | 'revoke'; key: Key }

/** Who may use the service, for admins. */
export function Keys({ query: { keys: chosen } }: { query: Query }): VNode {
  const { result, error, isLoading, reload } = useKeys()
  const [task, setTask] = useState<KeyTask>()
  const shown = result?.filter(({ state }) => chosen === 'all' || state === 'active')
  const dialog = { onClose: () => setTask(undefined), onDone: reload }

  return (
    <div class="view">
      <div class="view-head">
        <h1 tabindex={-1}>Keys</h1>
        <button type="button" class="button primary" onClick={() => setTask({ kind: 'make' })}>
          <Icon name="plus" />
          Make a key
        </button>
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
          <KeyTable keys={shown} isLast={(key) => isLastAdmin(key, result ?? [])} ask={setTask} />
        )}
      </div>
      <p class="note">
        Give each person and each program a key of their own. A key is shown once, when it is made; the service keeps
        only a hash of it.
      </p>
      {task?.kind === 'make' && <MakeKey {...dialog} />}
      {task?.kind === 'rename' && <RenameKey former={task.key} {...dialog} />}
      {task?.kind === 'replace' && <ReplaceKey former={task.key} {...dialog} />}
      {task?.kind === 'revoke' && <RevokeKey former={task.key} {...dialog} />}
    </div>
  )
}
