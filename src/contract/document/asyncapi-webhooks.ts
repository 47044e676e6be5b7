import type { NamedSchema } from './asyncapi.ts'

type Json = Record<string, unknown>

const headersExample = {
  'webhook-id': '17',
  'webhook-timestamp': '1763199000',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
}

/** The headers of Standard Webhooks 1.0.0, as every delivery has them. */
const WebhookHeaders = {
  type: 'object',
  required: Object.keys(headersExample),
  properties: {
    'webhook-id': {
      type: 'string',
      description: 'The `id` of the event: the same for every try, so that a receiver finds repeats.',
      examples: [headersExample['webhook-id']],
    },
    'webhook-timestamp': {
      type: 'string',
      description: 'When this try was made, in seconds since 1970. Refuse one that is more than five minutes away.',
      examples: [headersExample['webhook-timestamp']],
    },
    'webhook-signature': {
      type: 'string',
      description:
        '`v1,` and the base64 of the HMAC-SHA256, with the secret of the webhook, of the id, the timestamp and the body, ' +
        'separated by full stops. For 24 hours after a rotation there are two, separated by a space.',
      examples: [headersExample['webhook-signature']],
    },
  },
  description: 'The headers of a delivery (Standard Webhooks 1.0.0).',
  examples: [headersExample],
}

/** Deliveries to webhooks: the same events, with headers that prove where they come from. */
export function describeWebhooks(events: readonly NamedSchema[]) {
  const named = events.map((event) => [event.$id.replace(/Event$/, 'Webhook'), event] as const)
  return {
    channels: {
      webhooks: {
        address: null,
        title: 'Webhooks',
        description:
          'A `POST` to the address of each webhook that an admin has made with `POST /webhooks`: every event of its types ' +
          'at least once, in order. 2xx within 15 seconds is success; anything else is tried again for three days.',
        messages: Object.fromEntries(named.map(([name]) => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations: {
      deliverEvents: {
        action: 'send',
        channel: { $ref: '#/channels/webhooks' },
        title: 'Deliver events to webhooks',
        summary: 'The service sends each event to the addresses that want it, signed.',
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
    },
    messages: Object.fromEntries(named.map(([name, event]) => [name, message(name, event)])),
    schemas: { WebhookHeaders },
  }
}

function message(name: string, { $id, description, properties, examples }: NamedSchema): Json {
  return {
    name: properties.type.const,
    title: name,
    summary: description,
    headers: { $ref: '#/components/schemas/WebhookHeaders' },
    payload: { $ref: `#/components/schemas/${$id}` },
    examples: examples.map((payload) => ({ name, headers: headersExample, payload })),
  }
}
