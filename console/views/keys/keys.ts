import type { Key } from '../../../client/src/index.ts'
import { ChoiceLinks } from '../../components/choices.ts'
import { ErrorNotice } from '../../components/error-notice.ts'
import { Icon } from '../../components/icons.ts'
import { Loading } from '../../components/loading.ts'
import { html, useState, type VNode } from '../../preact.js'
import { isLastAdmin, useKeys } from '../../state/keys.ts'
import { hrefWith, type Query } from '../../state/route.ts'
import { KeyTable } from './key-table.ts'
import { MakeKey } from './make-key.ts'
import { ReplaceKey } from './replace-key.ts'
import { RevokeKey } from './revoke-key.ts'

const choices = [
  { value: undefined, text: 'Active' },
  { value: 'all', text: 'All' },
]

/** What the user is about to do. */
export type KeyTask = { kind: 'make' } | { kind: 'replace' | 'revoke'; key: Key }

/** Who may use the service, for admins. */
export function Keys({ query: { keys: chosen } }: { query: Query }): VNode {
  const { result, error, isLoading, reload } = useKeys()
  const [task, setTask] = useState<KeyTask>()
  const shown = result?.filter(({ state }) => chosen === 'all' || state === 'active')
  const dialog = { onClose: () => setTask(undefined), onDone: reload }

  return html`<div class="view">
    <div class="view-head">
      <h1 tabindex="-1">Keys</h1>
      <button type="button" class="button primary" onClick=${() => setTask({ kind: 'make' })}>
        <${Icon} name="plus" />Make a key
      </button>
    </div>
    <div class="filters">
      <${ChoiceLinks} label="State" choices=${choices} chosen=${chosen === 'all' ? 'all' : undefined}
        hrefOf=${(value: string | undefined) => hrefWith({ keys: value })} />
    </div>
    <${ErrorNotice} error=${error} retry=${reload} />
    <div class="card table-card" aria-busy=${isLoading ? 'true' : 'false'}>
      ${
        shown === undefined
          ? error === undefined && html`<${Loading} label="Loading the keys" />`
          : html`<${KeyTable}
              keys=${shown}
              isLast=${(key: Key) => isLastAdmin(key, result ?? [])}
              ask=${setTask}
            />`
      }
    </div>
    <p class="note">
      Give each person and each program a key of their own. A key is shown once, when it is made; the service keeps only
      a hash of it.
    </p>
    ${task?.kind === 'make' && html`<${MakeKey} ...${dialog} />`}
    ${task?.kind === 'replace' && html`<${ReplaceKey} former=${task.key} ...${dialog} />`}
    ${task?.kind === 'revoke' && html`<${RevokeKey} former=${task.key} ...${dialog} />`}
  </div>`
}
