import type { DisabledReason, EventName, NewWebhook, Webhook, WebhookChange } from '../contract/webhook.ts'
import type { WebhookFormat } from '../contract/webhook-format.ts'
import type { Page } from './page.ts'
import type { Precondition } from './precondition.ts'

/** The most webhooks that a shop can have. Each costs memory and time with every event. */
export const maxWebhooks = 1000

/** How long deliveries are also signed with the secret before a rotation. */
export const secretGraceMs = 24 * 60 * 60 * 1000

/** A webhook for those who deliver. Times are milliseconds since 1970. */
export interface Endpoint {
  id: bigint
  url: string
  /** Only events of these types are sent. Absent: all. */
  types?: ReadonlySet<EventName>
  format: WebhookFormat
  secret: string
  /** Also signs deliveries until `expiresAt`. */
  previousSecret?: { secret: string; expiresAt: number }
  /** Events up to this id are not sent. */
  startsAfter: bigint
  /** When it was made, was enabled again, or got another address. Failures before that do not count. */
  activeSince: number
}

export type WebhookCreation =
  | { outcome: 'created'; webhook: Webhook; secret: string }
  /** There are `maxWebhooks` already. Nothing was written. */
  | { outcome: 'full' }

export type WebhookUpdate =
  | { outcome: 'updated'; webhook: Webhook }
  | { outcome: 'missing' }
  /** The precondition failed. Nothing was written. */
  | { outcome: 'unmet' }

export type WebhookRemoval = { outcome: 'removed' } | { outcome: 'missing' } | { outcome: 'unmet' }

export type WebhookRotation =
  | { outcome: 'rotated'; webhook: Webhook; secret: string; previousSecretExpiresAt: string }
  | { outcome: 'missing' }

/** The addresses that events are sent to. test/storage/webhooks.test.ts defines it for every engine. */
export interface Webhooks {
  /** At most `limit` webhooks after the id `after`, 0 for the first, ascending by id. */
  list(limit: number, after: bigint): Promise<Page<Webhook>>

  /** Undefined if no webhook has this id. */
  find(id: bigint): Promise<Webhook | undefined>

  /**
   * Resolves when the webhook is on disk, enabled, with a new secret, which nothing but this, `endpoint` and `enabled`
   * returns. It starts after the latest event at that moment. Ids are 1, 2, 3, … and never used twice.
   */
  create(webhook: NewWebhook): Promise<WebhookCreation>

  /**
   * Changes the given members; `types` or `description` of null is removed. A webhook that is enabled again starts after
   * the latest event at that moment. The precondition is compared in the same transaction, with the tag of
   * `encodeWebhook(webhook)`.
   */
  update(id: bigint, change: WebhookChange, precondition?: Precondition): Promise<WebhookUpdate>

  remove(id: bigint, precondition?: Precondition): Promise<WebhookRemoval>

  /** Gives the webhook a new secret. The one before it also signs for `secretGraceMs`; one from before that ends at once. */
  rotate(id: bigint): Promise<WebhookRotation>

  /**
   * Disables an enabled webhook. With `activeSince`, only if it is as old as that: somebody may have changed its address
   * meanwhile. Resolves to whether it was disabled by this call.
   */
  disable(id: bigint, reason: DisabledReason, activeSince?: number): Promise<boolean>

  /** Disables all webhooks. Resolves to the number of those that were enabled. */
  disableAll(reason: DisabledReason): Promise<number>

  /** A webhook with its secrets, also a disabled one. Undefined if no webhook has this id. */
  endpoint(id: bigint): Promise<Endpoint | undefined>

  /** All enabled webhooks with their secrets, ascending by id. */
  enabled(): Promise<Endpoint[]>
}
