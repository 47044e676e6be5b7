const example = {
  'webhook-id': '17-k3x9Qa7B',
  'webhook-timestamp': '1794735000',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
}

/** The headers of Standard Webhooks 1.0.0, as every delivery has them. */
export const WebhookHeaders = {
  type: 'object',
  required: Object.keys(example),
  properties: {
    'webhook-id': {
      type: 'string',
      description: 'The `id` of the event, or of the test: the same for every try, so that a receiver finds repeats.',
      examples: [example['webhook-id']],
    },
    'webhook-timestamp': {
      type: 'string',
      description: 'When this try was made, in seconds since 1970. Refuse one that is more than five minutes away.',
      examples: [example['webhook-timestamp']],
    },
    'webhook-signature': {
      type: 'string',
      description:
        '`v1,` and the base64 of the HMAC-SHA256, with the secret of the webhook, of the id, the timestamp and the body, ' +
        'separated by full stops. For 24 hours after a rotation there are two, separated by a space.',
      examples: [example['webhook-signature']],
    },
  },
  description: 'The headers of a delivery (Standard Webhooks 1.0.0).',
  examples: [example],
}
