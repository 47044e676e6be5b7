import type { VNode } from 'preact'
import type { Webhook } from '../../../client/src/index.ts'
import { TableHead } from '../../components/table-head.tsx'
import { hrefOfWebhook } from '../../state/route.ts'
import { eventTexts, formatTexts } from '../../state/webhooks.ts'
import { WebhookState } from './webhook-state.tsx'

const columns = [
  { className: 'name', text: 'Address' },
  { className: 'optional', text: 'Events' },
  { className: 'webhook-column', text: 'State' },
]

export function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }): VNode {
  return (
    <table class="webhook-table">
      <caption class="visually-hidden">Webhooks</caption>
      <TableHead columns={columns} hasActions={false} />
      <tbody>
        {webhooks.map((webhook) => (
          <tr key={String(webhook.id)}>
            <td class="name">
              <a href={hrefOfWebhook(webhook.id)} dir="ltr">
                {webhook.url}
              </a>
              {webhook.description !== undefined && (
                <span class="webhook-purpose" dir="auto">
                  {webhook.description}
                </span>
              )}
              <span class="below">
                <WebhookState webhook={webhook} />
              </span>
            </td>
            <td class="optional">
              {eventsText(webhook)}
              {webhook.format === 'cloudevents' && `, as ${formatTexts.cloudevents}`}
            </td>
            <td class="webhook-column">
              <WebhookState webhook={webhook} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Which events are sent. */
export function eventsText({ types }: Webhook): string {
  if (types === undefined) return 'All'
  return types.map((type) => eventTexts[type]).join(', ')
}
