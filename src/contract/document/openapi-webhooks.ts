import { WebhookTestEvent } from '../delivery.ts'
import { eventSchemas } from '../event.ts'
import { createWebhook } from '../operations/webhooks.ts'
import { type MessageSchema, messageSchema } from '../schema.ts'
import { mediaTypes } from '../webhook-format.ts'
import { withReferences } from './openapi-schemas.ts'
import { WebhookHeaders } from './webhook-headers.ts'

type Json = Record<string, unknown>

/** What is sent to webhooks: every type of event, and tests. */
export const webhookMessages: readonly MessageSchema[] = [...eventSchemas, messageSchema(WebhookTestEvent)]

/** The requests that the service sends to the address of a webhook, by the type of the message. */
export function describeWebhookRequests(): Json {
  return Object.fromEntries(
    webhookMessages.map((message) => [message.properties.type.const, { post: request(message) }]),
  )
}

/** The headers of these requests, for the components of the document. */
export const webhookParameters = Object.fromEntries(
  Object.entries(WebhookHeaders.properties).map(([name, { type, description, examples }]) => [
    name,
    {
      name,
      in: 'header',
      required: true,
      description,
      schema: { type, examples },
      examples: { default: { value: examples[0] } },
    },
  ]),
)

function request(message: MessageSchema): Json {
  const { $id, description, examples } = message
  const content = { schema: withReferences(message), example: examples[0] }
  return {
    operationId: `receive${$id}`,
    summary: description.replace(/[.;].*/, ''),
    description:
      `${description} The service sends it to the address of a webhook, signed (Standard Webhooks 1.0.0): verify the ` +
      'signature before you use the body. The same message may come again, with the same `webhook-id`. Its media ' +
      'type is that of the `format` of the webhook; the body is the same.',
    tags: ['webhooks'],
    'x-stability': createWebhook.stability,
    // No API key: the signature proves who sends it.
    security: [],
    parameters: Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: Object.fromEntries(Object.values(mediaTypes).map((type) => [type, content])),
    },
    responses,
  }
}

const responses = {
  '2XX': {
    description: 'The receiver has it, which it must say within 15 seconds. The body is not used.',
  },
  410: {
    description: 'The receiver wants nothing more: the webhook is disabled. A test changes nothing.',
  },
  default: {
    description:
      'A failure, also a redirect. An event is sent again after 5 seconds, 30 seconds, 5 and 30 minutes, then every hour, ' +
      'for three days, and holds back those after it. A test is sent once.',
  },
}
