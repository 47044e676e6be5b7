import { randomBytes } from 'node:crypto'
import { WebhookFormat } from '../contract/webhook-format.ts'
import { Int64, type ResourceOf, Type } from '../contract/schema.ts'
import { membersOf } from '../contract/members.ts'
import { type DisabledReason, disabledReasons, type EventName, NewWebhook, type Webhook } from '../contract/webhook.ts'

const time = Type.String({ format: 'date-time' })
const typesForm = '^petstore\\.[a-z.]+( petstore\\.[a-z.]+)*$'
const secretForm = '^whsec_[A-Za-z0-9+/]{43}=$'
const secret = Type.String({ pattern: secretForm, 'x-form': { 'that is a secret of a webhook': secretForm } })

/** A webhook as it is stored, with what no client sees. It is enabled while it has no `disabledAt`. */
export const StoredWebhook = Type.Object({
  id: Type.Unsafe<bigint>({ ...Int64, minimum: 1 }),
  url: NewWebhook.properties.url,
  /** Separated by spaces. */
  types: Type.Optional(Type.String({ pattern: typesForm, 'x-form': { 'of names of events': typesForm } })),
  description: NewWebhook.properties.description,
  format: WebhookFormat,
  createdAt: time,
  disabledAt: Type.Optional(time),
  disabledReason: Type.Optional(Type.Unsafe<DisabledReason>({ type: 'string', enum: disabledReasons })),
  /** In clear: a signature cannot be made from a hash. */
  secret,
  /** Also signs deliveries until `previousSecretExpiresAt`. */
  previousSecret: Type.Optional(secret),
  previousSecretExpiresAt: Type.Optional(time),
  /** Events up to this id happened before the webhook was made or enabled again, and are not sent. */
  startsAfter: Type.Unsafe<bigint>({ ...Int64, minimum: 0 }),
  /** When it was made, was enabled again, or got another address. Failures before that do not count. */
  activeSince: time,
})
export type StoredWebhook = ResourceOf<typeof StoredWebhook>

export const webhookMembers = membersOf(StoredWebhook)

/** What clients see, in the order of the document. */
export function shownWebhook(stored: StoredWebhook): Webhook {
  const { id, url, types, description, format, createdAt, disabledAt, disabledReason } = stored
  return {
    id,
    url,
    ...(types !== undefined && { types: typesOf(types) }),
    ...(description !== undefined && { description }),
    format,
    enabled: disabledAt === undefined,
    createdAt,
    ...(disabledAt !== undefined && { disabledAt }),
    ...(disabledReason !== undefined && { disabledReason }),
  }
}

export function typesOf(stored: string): EventName[] {
  return stored.split(' ') as EventName[]
}

/** 32 random bytes, in the form of Standard Webhooks 1.0.0. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}
