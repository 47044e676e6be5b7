import type { Static } from 'typebox'
import { bodyErrors, type Operation } from '../operation.ts'
import { cursor, id, limitOf, preconditions } from '../parameters.ts'
import { Type } from '../schema.ts'
import { CreatedWebhook, NewWebhook, RotatedWebhook, Webhook, WebhookChange, Webhooks } from '../webhook.ts'

const webhookPath = Type.Object({ webhookId: id('The identifier of the webhook.') })

const forbidden = 'Only an admin key may manage webhooks.'
const missing = 'No webhook has this id.'

const shared = { permission: 'admin', stability: 'experimental' } as const

export const ListWebhooksQuery = Type.Object({ limit: limitOf('webhooks'), cursor: cursor() })
export type ListWebhooksQuery = Static<typeof ListWebhooksQuery>

export const listWebhooks = {
  ...shared,
  id: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  summary: 'List webhooks',
  description: 'Returns a page of webhooks without their secrets, ascending by id. Paging works as for `GET /pets`.',
  parameters: { query: ListWebhooksQuery },
  success: {
    status: 200,
    description: 'A page of webhooks.',
    body: Webhooks,
    headers: ['Link', 'Next-Cursor', 'ETag'],
  },
  errors: [],
  errorMeanings: { forbidden },
} as const satisfies Operation

export const createWebhook = {
  ...shared,
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  summary: 'Make a webhook',
  description:
    'From now on every event is sent to this address: at least once, and in order. Deliveries are signed as Standard ' +
    'Webhooks 1.0.0 says. The secret is in this response only. So the response cannot be repeated, and an ' +
    '`Idempotency-Key` is refused. If the response was lost, remove the webhook and make another.',
  body: NewWebhook,
  success: {
    status: 201,
    description: 'Webhook made; the body includes its secret.',
    body: CreatedWebhook,
    headers: ['Location'],
    links: {
      getWebhook: {
        operationId: 'getWebhook',
        description: 'Reads the new webhook.',
        parameters: { webhookId: '$response.body#/id' },
      },
    },
  },
  errors: [...bodyErrors, 'conflict'],
  errorMeanings: { forbidden, conflict: 'There are 1,000 webhooks: remove one first.' },
} as const satisfies Operation

export const getWebhook = {
  ...shared,
  id: 'getWebhook',
  method: 'GET',
  path: '/webhooks/{webhookId}',
  summary: 'Get a webhook',
  description:
    'Returns one webhook without its secret. Its `ETag` is the one to send in `If-Match` when the webhook is changed.',
  parameters: { path: webhookPath },
  success: { status: 200, description: 'The requested webhook.', body: Webhook, headers: ['ETag'] },
  errors: ['not_found'],
  errorMeanings: { forbidden, not_found: missing },
} as const satisfies Operation

export const updateWebhook = {
  ...shared,
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/webhooks/{webhookId}',
  summary: 'Change, disable or enable a webhook',
  description:
    'Changes the members that are sent and leaves the others as they are; null removes `types`, which means all types, or ' +
    '`description`. Another address gets the events that the old one has not taken. With `If-Match` the change is made ' +
    'only if nobody has changed the webhook since it was read.',
  parameters: { path: webhookPath, header: preconditions('webhook') },
  body: WebhookChange,
  isMergePatch: true,
  success: { status: 200, description: 'The webhook as it is now.', body: Webhook, headers: ['ETag'] },
  errors: ['not_found', ...bodyErrors, 'precondition_failed'],
  errorMeanings: { forbidden, not_found: missing },
} as const satisfies Operation

export const deleteWebhook = {
  ...shared,
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
  summary: 'Remove a webhook',
  description: 'Removes a webhook for good, with its secret. Nothing is sent to its address any more.',
  parameters: { path: webhookPath, header: preconditions('webhook') },
  success: { status: 204, description: 'The webhook was removed.', headers: [] },
  errors: ['not_found', 'precondition_failed'],
  errorMeanings: { forbidden, not_found: missing },
} as const satisfies Operation

export const rotateWebhook = {
  ...shared,
  id: 'rotateWebhook',
  method: 'POST',
  path: '/webhooks/{webhookId}/rotate',
  summary: 'Give a webhook a new secret',
  description:
    'For 24 hours deliveries are signed with the new secret and with the previous one, so that the receiver can change ' +
    'without a gap. A second call ends the secret from before the first at once. The secret is in this response only, ' +
    'and an `Idempotency-Key` is refused, as with `POST /webhooks`.',
  parameters: { path: webhookPath },
  success: { status: 200, description: 'The webhook, with its new secret.', body: RotatedWebhook, headers: [] },
  errors: ['not_found'],
  errorMeanings: { forbidden, not_found: missing },
} as const satisfies Operation
