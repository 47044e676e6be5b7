import {
  type CreatedWebhook,
  type Delivery,
  type Int64,
  type ListDeliveriesQuery,
  type ListWebhooksQuery,
  type NewWebhook,
  operations,
  type RotatedWebhook,
  type Webhook,
  type WebhookChange,
} from './contract.ts'
import type { WithEtag } from './etag.ts'
import { List } from './list.ts'
import type { CallOptions, ChangeOptions, ListOptions } from './options.ts'
import type { ApiRequest } from './request.ts'
import { resourceOf, taggedResourceOf } from './response.ts'
import type { Transport } from './transport.ts'

/** The receiver has 15 seconds, so one attempt may take longer than others. */
const sendTimeoutMs = 20_000

/** The addresses that events are sent to, for the owner of an admin key; anyone else gets `forbidden`. */
export class WebhookEndpoints {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All webhooks, ascending by id. `limit` is the page size. */
  list(query?: ListWebhooksQuery, options?: ListOptions): List<Webhook> {
    return new List(this.#transport, operations.listWebhooks, query, options)
  }

  /** The webhook with this id, or `not_found`. */
  async get(id: Int64, options?: CallOptions): Promise<WithEtag<Webhook>> {
    return taggedResourceOf(await this.#transport.send({ operation: operations.getWebhook, id }, options))
  }

  /**
   * Sends events to an address from now on. `secret`, which signs them, is in this response only. Not repeated after an
   * unknown outcome: a second webhook would be made.
   */
  async create(webhook: NewWebhook, options?: CallOptions): Promise<CreatedWebhook> {
    return resourceOf(await this.#transport.send({ operation: operations.createWebhook, body: webhook }, options))
  }

  /** Changes the given members; null removes `types` or `description`. One that is enabled again starts with new events. */
  async update(id: Int64, change: WebhookChange, options?: ChangeOptions): Promise<WithEtag<Webhook>> {
    const request = { operation: operations.updateWebhook, id, body: change }
    return taggedResourceOf(await this.#transport.send(request, options))
  }

  /** Removes a webhook. With `mayHaveSucceeded`, `not_found` may be due to the first attempt of this call. */
  async delete(id: Int64, options?: ChangeOptions): Promise<void> {
    await this.#transport.send({ operation: operations.deleteWebhook, id }, options)
  }

  /**
   * Gives a webhook a new `secret`. For 24 hours the previous one signs, too. Not repeated after an unknown outcome: the
   * secret in use would end at once.
   */
  async rotate(id: Int64, options?: CallOptions): Promise<RotatedWebhook> {
    return resourceOf(await this.#transport.send({ operation: operations.rotateWebhook, id }, options))
  }

  /** What was sent to a webhook, the newest first. `limit` is the page size. */
  deliveries(id: Int64, query?: ListDeliveriesQuery, options?: ListOptions): List<Delivery> {
    return new List(this.#transport, operations.listDeliveries, query, options, id)
  }

  /**
   * Sends the event of a delivery again, at once, and resolves to what came of it: see `status`. By default it may take 20
   * seconds. Not repeated after an unknown outcome: the receiver would get it once more.
   */
  async resend(id: Int64, deliveryId: Int64, options?: CallOptions): Promise<Delivery> {
    return this.#deliver({ operation: operations.resendDelivery, id: [id, deliveryId] }, options)
  }

  /** Sends a test, `petstore.webhook.test`, in the same way. */
  async test(id: Int64, options?: CallOptions): Promise<Delivery> {
    return this.#deliver({ operation: operations.testWebhook, id }, options)
  }

  async #deliver(request: ApiRequest, options?: CallOptions): Promise<Delivery> {
    return resourceOf(await this.#transport.send(request, { timeoutMs: sendTimeoutMs, ...options }))
  }
}
