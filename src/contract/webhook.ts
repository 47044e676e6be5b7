import type { Static } from 'typebox'
import { type EventType, eventTypes } from './event.ts'
import { encodeWithId } from './json.ts'
import { id } from './parameters.ts'
import { timesLike, Type } from './schema.ts'
import { PetName } from './pet.ts'
import { WebhookFormat } from './webhook-format.ts'
import { WebhookUrl } from './webhook-url.ts'

/** The type of an event, as the feed has it. */
export type EventName = `petstore.${EventType}`

export const eventNames: readonly EventName[] = eventTypes.map((type): EventName => `petstore.${type}`)

const example = {
  id: 1,
  url: 'https://shop.example.com/petstore-events',
  types: ['petstore.order.placed'],
  description: 'Sends the order to the warehouse.',
  format: 'json',
  enabled: true,
  createdAt: '2026-11-15T09:30:00.000Z',
}
const secretExample = 'whsec_EXAMPLE'

const EventTypeName = Type.Unsafe<EventName>({
  $id: 'EventType',
  type: 'string',
  enum: eventNames,
  description: 'The type of an event.',
  examples: [example.types[0]],
})

const Types = Type.Unsafe<EventName[]>({
  type: 'array',
  items: EventTypeName,
  minItems: 1,
  uniqueItems: true,
  description: 'Only events of these types are sent. Absent: events of all types.',
  examples: [example.types],
})

const Description = Type.String({
  ...PetName,
  maxLength: 1000,
  description: 'What the webhook is for: 1 to 1000 characters, not only white space, no NUL. Kept exactly as sent.',
  examples: [example.description],
})

const Enabled = Type.Unsafe<boolean>({ type: 'boolean', description: 'Whether events are sent.', examples: [true] })

export const NewWebhook = Type.Object(
  {
    url: WebhookUrl,
    types: Type.Optional(Types),
    description: Type.Optional(Description),
    format: Type.Optional(WebhookFormat),
  },
  {
    $id: 'NewWebhook',
    description: 'A webhook to make. Unknown members are ignored.',
    examples: [{ url: example.url, types: example.types }],
  },
)
export type NewWebhook = Static<typeof NewWebhook>

export const WebhookChange = Type.Object(
  {
    url: Type.Optional(WebhookUrl),
    types: Type.Optional(removable<EventName[]>(Types, 'The types of events that are sent; null means all.')),
    description: Type.Optional(removable<string>(Description, 'What the webhook is for; null removes it.')),
    format: Type.Optional(WebhookFormat),
    enabled: Type.Optional(
      Type.Unsafe<boolean>({
        ...Enabled,
        description:
          'Whether events are sent. A webhook that is enabled again gets the events from then on: read those of the ' +
          'meantime with `GET /events`.',
      }),
    ),
  },
  {
    $id: 'WebhookChange',
    description: 'The members to change. The others stay as they are; unknown members are ignored.',
    examples: [{ enabled: true }],
  },
)
export type WebhookChange = Static<typeof WebhookChange>

/** Why a webhook is disabled. */
export const disabledReasons = ['requested', 'gone', 'failed', 'restored', 'copied'] as const
export type DisabledReason = (typeof disabledReasons)[number]

/** Why no event is sent to anybody: a reason of the service, not of a webhook. */
const stalledReasons = ['storage', 'thread', 'unattended'] as const
export type StalledReason = (typeof stalledReasons)[number]

const time = timesLike(example.createdAt)

const members = {
  id: id('Unique identifier, never used twice.'),
  url: Type.String({ description: 'Where events are sent.', examples: [example.url] }),
  types: Type.Optional(Types),
  description: Type.Optional(Description),
  format: WebhookFormat,
  enabled: Enabled,
  createdAt: time('When the webhook was made.'),
  disabledAt: Type.Optional(time('When the webhook was disabled. Absent while it is enabled.')),
  disabledReason: Type.Optional(
    Type.Unsafe<DisabledReason>({
      type: 'string',
      enum: disabledReasons,
      description:
        'Why the webhook is disabled. `requested`: somebody did it. `gone`: its address responded with 410. `failed`: for ' +
        'three days its address took no event. `restored`, `copied`: the database comes from a backup or from another ' +
        'database. Absent while it is enabled.',
      examples: ['failed'],
    }),
  ),
}

/** Not part of the resource that a client changes: deliveries change it, and the `ETag` of a webhook must not. */
const health = {
  failingSince: Type.Optional(
    time(
      'Since when the next event of the webhook fails: when the first try of it was made. Only `GET /webhooks` has it, ' +
        'within some seconds. Absent if the webhook takes its events, has none yet, or is disabled.',
    ),
  ),
  stalledSince: Type.Optional(
    time(
      'Since when the service sends no events, for a reason of its own, to any webhook. Only `GET /webhooks` has it, for ' +
        'enabled webhooks, some seconds after it begins. Events are sent later, in order.',
    ),
  ),
  stalledReason: Type.Optional(
    Type.Unsafe<StalledReason>({
      type: 'string',
      enum: stalledReasons,
      description:
        'Why the service sends no events. `storage`: events cannot be read, or deliveries not be stored. `thread`: the ' +
        'part that sends them does not respond. `unattended`: no process sends them. Absent without `stalledSince`.',
      examples: ['storage'],
    }),
  ),
}

export const Webhook = Type.Object(
  { ...members, ...health },
  {
    $id: 'Webhook',
    description: 'An address that events are sent to, without its secret.',
    examples: [example],
  },
)
export type Webhook = Static<typeof Webhook>

export const Webhooks = Type.Array(Webhook, {
  $id: 'Webhooks',
  description: 'A page of webhooks.',
  examples: [[example]],
})

const secret = {
  secret: Type.String({
    description:
      'Signs every delivery (Standard Webhooks 1.0.0): `whsec_` and 32 random bytes in base64. It is in this response only.',
    examples: [secretExample],
  }),
}

export const CreatedWebhook = Type.Object(
  { ...members, ...secret },
  {
    $id: 'CreatedWebhook',
    description: 'A new webhook, with its secret.',
    examples: [{ ...example, secret: secretExample }],
  },
)
export type CreatedWebhook = Static<typeof CreatedWebhook>

const previousEnd = '2026-11-16T09:30:00.000Z'

export const RotatedWebhook = Type.Object(
  {
    ...members,
    ...secret,
    previousSecretExpiresAt: time('Until then deliveries are also signed with the previous secret.', previousEnd),
  },
  {
    $id: 'RotatedWebhook',
    description: 'A webhook with its new secret, and when the previous one ends.',
    examples: [{ ...example, secret: secretExample, previousSecretExpiresAt: previousEnd }],
  },
)
export type RotatedWebhook = Static<typeof RotatedWebhook>

/** The JSON of a webhook, also of one with its secret: the members in the order of the object. */
export const encodeWebhook: (webhook: Webhook | CreatedWebhook | RotatedWebhook) => string = encodeWithId

function removable<Value>(schema: object, description: string) {
  const { examples, description: _description, ...rule } = schema as { examples: unknown[]; description: string }
  return Type.Unsafe<Value | null>({ anyOf: [rule, { type: 'null' }], description, examples })
}
