import type { MessageSchema } from '../schema.ts'
import { WebhookHeaders } from './webhook-headers.ts'

type Json = Record<string, unknown>

/** Deliveries to webhooks: the same events, and tests, with headers that prove where they come from. */
export function describeWebhooks(events: readonly MessageSchema[]) {
  const named = events.map((event) => [event.$id.replace(/^(?:Webhook)?(\w+)Event$/, '$1Webhook'), event] as const)
  return {
    channels: {
      webhooks: {
        address: null,
        title: 'Webhooks',
        description:
          'A `POST` to the address of each webhook that an admin has made with `POST /webhooks`: every event of its types ' +
          'at least once, in order. 2xx within 15 seconds is success; anything else is tried again for three days. A test is sent once, ' +
          'when an admin asks for it. Webhooks with the format `cloudevents` get the media type ' +
          '`application/cloudevents+json`; the payload is the same.',
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

function message(name: string, { $id, description, properties, examples }: MessageSchema): Json {
  return {
    name: properties.type.const,
    title: name,
    summary: description,
    headers: { $ref: '#/components/schemas/WebhookHeaders' },
    payload: { $ref: `#/components/schemas/${$id}` },
    examples: examples.map((payload) => ({ name, headers: WebhookHeaders.examples[0], payload })),
  }
}
