import type { Static } from 'typebox'
import { constant } from './event.ts'
import { encodePosition } from './position.ts'
import { id } from './parameters.ts'
import { timesLike, Type } from './schema.ts'

/** The type of the message that `POST /webhooks/{webhookId}/test` sends. It is not in the feed. */
export const testType = 'petstore.webhook.test'

const example = {
  id: 42,
  webhookId: 1,
  eventId: '17-k3x9Qa7B',
  type: 'petstore.order.placed',
  time: '2026-11-15T09:30:00.000Z',
  attempt: 1,
  status: 500,
  durationMs: 120,
  responseStart: 'Internal Server Error',
  nextAttemptAt: '2026-11-15T09:30:05.000Z',
}

const time = timesLike(example.nextAttemptAt)

export const Delivery = Type.Object(
  {
    id: id('Unique identifier of the try; later ones have higher ids.', example.id),
    webhookId: id('The webhook.', example.webhookId),
    eventId: Type.Optional(
      Type.String({
        description: 'The `id` of the event, which is its `webhook-id`. Absent for a test.',
        examples: [example.eventId],
      }),
    ),
    type: Type.String({
      description: `The type of the event, or \`${testType}\`.`,
      examples: [example.type],
    }),
    time: time('When the try began.', example.time),
    attempt: Type.Integer({
      minimum: 1,
      description: 'Which try of the event it was. 1 if somebody asked for it.',
      examples: [example.attempt],
    }),
    status: Type.Optional(
      Type.Integer({
        description: 'The status of the response: 2xx is a success. Absent if there was no response.',
        examples: [example.status],
      }),
    ),
    durationMs: Type.Integer({ description: 'How long the try took, in milliseconds.', examples: [120] }),
    error: Type.Optional(
      Type.String({
        description: 'Why there was no response. For people: its wording may change.',
        examples: ['connect ECONNREFUSED 203.0.113.7:443'],
      }),
    ),
    responseStart: Type.Optional(
      Type.String({
        description: 'The first 1,024 bytes of the body of the response, as text.',
        examples: [example.responseStart],
      }),
    ),
    nextAttemptAt: Type.Optional(
      time('When the event is sent again. Absent after a success, and if somebody asked for the try.'),
    ),
  },
  { $id: 'Delivery', description: 'One try to send an event, or a test, to a webhook.', examples: [example] },
)
export type Delivery = Static<typeof Delivery>

export const Deliveries = Type.Array(Delivery, {
  $id: 'Deliveries',
  description: 'A page of tries.',
  examples: [[example]],
})

/** One try to deliver a message to a webhook. Times are milliseconds since 1970. */
export interface DeliveryTry {
  /** Ascending in the order in which tries are stored. */
  id: bigint
  webhookId: bigint
  /** Absent for a test, which is no event. */
  eventId?: bigint
  /** The lineage of `eventId`. Not stored: it is that of the event. */
  lineage?: string | undefined
  type: string
  /** When it began. */
  at: number
  /** 1 for the first try of an event. */
  attempt: number
  /** Of the response, if there was one. */
  status?: number
  durationMs: number
  /** Why there was no response. */
  error?: string
  /** The first bytes of the body of the response, as text without control characters. */
  responseStart?: string
  /** When the next try is due, if this one failed. */
  nextAttemptAt?: number
}

export function encodeDelivery(delivery: DeliveryTry): string {
  const { id, webhookId, eventId, lineage, type, at, nextAttemptAt, ...others } = delivery
  const { attempt, status, durationMs, error, responseStart } = others
  const rest = JSON.stringify({
    eventId: eventId === undefined ? undefined : encodePosition({ id: eventId, lineage }),
    type,
    time: new Date(at).toISOString(),
    attempt,
    status,
    durationMs,
    error,
    responseStart,
    nextAttemptAt: nextAttemptAt === undefined ? undefined : new Date(nextAttemptAt).toISOString(),
  })
  return `{"id":${id},"webhookId":${webhookId},${rest.slice(1)}`
}

const testExample = {
  specversion: '1.0',
  id: 'test_0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9',
  source: '/v1',
  type: testType,
  time: example.time,
}

/** A CloudEvent without subject and data: nothing has happened. */
export const WebhookTestEvent = Type.Object(
  {
    specversion: constant('1.0', 'The version of CloudEvents.'),
    id: Type.String({ description: 'Unique; it is no event of the feed.', examples: [testExample.id] }),
    source: Type.String({ description: 'The base address of the service.', examples: [testExample.source] }),
    type: constant(testType, 'That it is a test.'),
    time: time('When.', testExample.time),
  },
  {
    $id: 'WebhookTestEvent',
    description: 'A test of a webhook, which an admin asked for. Nothing has happened in the shop.',
    examples: [testExample],
  },
)

export function encodeTest(id: string, source: string, at: number): string {
  return JSON.stringify({ specversion: '1.0', id, source, type: testType, time: new Date(at).toISOString() })
}
