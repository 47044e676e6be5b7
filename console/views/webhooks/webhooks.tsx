import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Icon } from '../../components/icons.tsx'
import { Empty, Loading } from '../../components/loading.tsx'
import { closeSheet, type Query } from '../../state/route.ts'
import { useWebhooks } from '../../state/webhooks.ts'
import { MakeWebhook } from './make-webhook.tsx'
import { WebhookSheet } from './webhook-sheet.tsx'
import { WebhookTable } from './webhook-table.tsx'

/** Where events are sent, for admins. */
export function Webhooks({ query: { webhook: opened } }: { query: Query }): VNode {
  const { result, error, isLoading, reload } = useWebhooks()
  const [isMaking, setMaking] = useState(false)
  return (
    <div class="view">
      <div class="view-head">
        <h1 tabindex={-1}>Webhooks</h1>
        <div class="view-actions">
          <button type="button" class="button primary" onClick={() => setMaking(true)}>
            <Icon name="plus" />
            <span>Make a webhook</span>
          </button>
        </div>
      </div>
      <ErrorNotice error={error} retry={reload} />
      <div class="card table-card" aria-busy={isLoading ? 'true' : 'false'}>
        {result === undefined && error === undefined && <Loading label="Loading the webhooks" />}
        {result?.length === 0 && <Empty title="No webhooks">Events are sent to nobody.</Empty>}
        {result !== undefined && result.length > 0 && <WebhookTable webhooks={result} />}
      </div>
      <p class="note">
        A webhook sends every change in the shop to a program of yours, in order, signed with a secret that only you and
        the shop know.
      </p>
      {isMaking && <MakeWebhook onClose={() => setMaking(false)} onDone={reload} />}
      {opened !== undefined && (
        <WebhookSheet
          key={opened}
          id={opened}
          listed={result?.find(({ id }) => String(id) === opened)}
          onClose={closeSheet}
          onChanged={() => void reload()}
        />
      )}
    </div>
  )
}
