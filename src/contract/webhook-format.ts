import { Type } from './schema.ts'

/** The media type of a delivery, by the format of its webhook. The body is the same. */
export const mediaTypes = { json: 'application/json', cloudevents: 'application/cloudevents+json' } as const
export type WebhookFormat = keyof typeof mediaTypes

export const WebhookFormat = Type.Unsafe<WebhookFormat>({
  $id: 'WebhookFormat',
  type: 'string',
  enum: Object.keys(mediaTypes),
  description:
    'The media type of what is sent. `json`: `application/json`. `cloudevents`: `application/cloudevents+json`, by which ' +
    'CloudEvents SDKs know an event (structured mode). The body is the same. A new webhook has `json` unless it says otherwise.',
  examples: ['json'],
})
