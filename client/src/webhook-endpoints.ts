import {
  type CreatedWebhook,
  type Int64,
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
import { resourceOf, taggedResourceOf } from './response.ts'
import type { Transport } from './transport.ts'

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
}
