import type { Static } from 'typebox'
import { Deliveries, Delivery, testType } from '../delivery.ts'
import type { Operation } from '../operation.ts'
import { cursor, id, idWithoutExample, limitOf } from '../parameters.ts'
import { Type } from '../schema.ts'

/** Tests and repetitions that run at once in a process. One key may have half of them. */
export const maxRequestedDeliveriesOfAll = 20
export const maxRequestedDeliveries = maxRequestedDeliveriesOfAll / 2

const webhookId = id('The identifier of the webhook.')
const webhookPath = Type.Object({ webhookId })
const deliveryPath = Type.Object({ webhookId, deliveryId: idWithoutExample('The identifier of the try.') })

const shared = { permission: 'admin', stability: 'experimental' } as const
const forbidden = 'Only an admin key may manage webhooks.'
const missing = 'No webhook has this id.'
const rate_limited =
  `The API key has used up its requests for now, or ${maxRequestedDeliveries} such requests of it are running, ` +
  `or ${maxRequestedDeliveriesOfAll} of all keys.`
const sentNow =
  'It is sent at once, also if the webhook is disabled, and the response says what came of it, after at most 15 seconds. ' +
  'It is not repeated, disables nothing, and the events that wait for the webhook still come.'

export const ListDeliveriesQuery = Type.Object({ limit: limitOf('tries'), cursor: cursor() })
export type ListDeliveriesQuery = Static<typeof ListDeliveriesQuery>

export const listDeliveries = {
  ...shared,
  id: 'listDeliveries',
  method: 'GET',
  path: '/webhooks/{webhookId}/deliveries',
  summary: 'List what was sent to a webhook',
  description:
    'Returns a page of the tries to send something to the webhook, the newest first. They are listed within some seconds ' +
    'and kept for 7 days; of a webhook the latest 1,000 are kept. Paging works as for `GET /pets`.',
  parameters: { path: webhookPath, query: ListDeliveriesQuery },
  success: { status: 200, description: 'A page of tries.', body: Deliveries, headers: ['Link', 'Next-Cursor', 'ETag'] },
  errors: ['not_found'],
  errorMeanings: { forbidden, not_found: missing },
} as const satisfies Operation

export const resendDelivery = {
  ...shared,
  id: 'resendDelivery',
  method: 'POST',
  path: '/webhooks/{webhookId}/deliveries/{deliveryId}/resend',
  summary: 'Send an event to a webhook again',
  description: `Sends the event of a try again, with the same \`webhook-id\` and a new signature. ${sentNow}`,
  parameters: { path: deliveryPath },
  success: { status: 200, description: 'The new try.', body: Delivery, headers: [] },
  errors: ['not_found', 'conflict'],
  errorMeanings: {
    forbidden,
    not_found: 'No webhook has this id, or it has no such try.',
    conflict: 'The event is no longer kept, or the try was a test.',
    rate_limited,
  },
} as const satisfies Operation

export const testWebhook = {
  ...shared,
  id: 'testWebhook',
  method: 'POST',
  path: '/webhooks/{webhookId}/test',
  summary: 'Send a test to a webhook',
  description: `Sends a message of the type \`${testType}\`, signed like an event. It is not in the feed. ${sentNow}`,
  parameters: { path: webhookPath },
  success: { status: 200, description: 'The try.', body: Delivery, headers: [] },
  errors: ['not_found'],
  errorMeanings: { forbidden, not_found: missing, rate_limited },
} as const satisfies Operation
