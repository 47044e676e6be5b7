import { int64FromText } from '../../contract/int64.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhook,
  updateWebhook,
} from '../../contract/operations/webhooks.ts'
import { encodeWebhook, type Webhook } from '../../contract/webhook.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { endOf } from '../../inventory/page.ts'
import type { Deliveries, Stall } from '../../inventory/deliveries.ts'
import { maxWebhooks, type Webhooks } from '../../inventory/webhooks.ts'
import { type AddressRules, refusalOfUrl } from '../../webhooks/addresses.ts'
import type { Route } from '../exchange.ts'
import { decodeCursor, encodeCursor, nextPage } from '../replies/cursor.ts'
import { changedReply, resourceReply } from '../replies/etag.ts'
import { emptyReply, jsonReply } from '../replies/json.ts'
import { encodeBody } from '../replies/page-body.ts'
import { encodedPage, pageReply } from '../replies/page.ts'
import { refuseIdempotencyKey } from '../request/idempotency-key.ts'
import { preconditionFailed, preconditionOf } from '../request/precondition.ts'
import { operationRoute } from '../route.ts'

export interface WebhookRoutesOptions {
  webhooks: Webhooks
  deliveries: Pick<Deliveries, 'failing'>
  /** Whether deliveries stand still for a reason of ours. Default: they never do. */
  stall?: (() => Promise<Stall | undefined>) | undefined
  /** Which addresses a webhook may have. */
  addresses: AddressRules
}

const scope = 'webhooks'

export function webhookRoutes({ webhooks, deliveries, addresses, stall }: WebhookRoutesOptions): Route[] {
  async function refuseAddress(url: string | undefined): Promise<void> {
    const refusal = url === undefined ? undefined : await refusalOfUrl(url, addresses)
    if (refusal !== undefined) throw new PetStoreError('invalid_body', `url ${refusal}.`, { fields: ['url'] })
  }

  return [
    operationRoute(listWebhooks, async ({ query: { limit, cursor } }, exchange) => {
      const page = await webhooks.list(limit, decodeCursor(cursor, scope)?.id ?? 0n)
      const [failing, stalled] = await Promise.all([deliveries.failing(), stall?.()])
      const items = page.items.map((webhook) => withHealth(webhook, failing.get(webhook.id), stalled))
      const id = endOf(page)
      const next =
        id === undefined ? undefined : nextPage('/webhooks', {}, limit, { cursor: encodeCursor({ id }, scope) })
      return pageReply(exchange, encodedPage(await encodeBody(items, encodeWebhook, exchange), { next }))
    }),

    operationRoute(createWebhook, async ({ body }, exchange) => {
      refuseIdempotencyKey(exchange.request)
      await refuseAddress(body.url)
      const creation = await webhooks.create(body)
      if (creation.outcome === 'full') {
        throw new PetStoreError('conflict', `There are ${maxWebhooks} webhooks already: remove one first.`)
      }
      const { webhook, secret } = creation
      const location = `${exchange.request.base}/webhooks/${webhook.id}`
      return jsonReply(encodeWebhook({ ...webhook, secret }), { location }, 201)
    }),

    operationRoute(getWebhook, async ({ params }) => {
      const webhook = await webhooks.find(idOf(params))
      if (webhook === undefined) throw missing()
      return resourceReply(encodeWebhook(webhook))
    }),

    operationRoute(updateWebhook, async ({ params, body }, exchange) => {
      const id = idOf(params)
      await refuseAddress(body.url)
      const update = await webhooks.update(id, body, preconditionOf(exchange.request))
      if (update.outcome === 'missing') throw missing()
      if (update.outcome === 'unmet') throw preconditionFailed(exchange.request, 'webhook')
      return changedReply(encodeWebhook(update.webhook))
    }),

    operationRoute(deleteWebhook, async ({ params }, exchange) => {
      const { outcome } = await webhooks.remove(idOf(params), preconditionOf(exchange.request))
      if (outcome === 'missing') throw missing()
      if (outcome === 'unmet') throw preconditionFailed(exchange.request, 'webhook')
      return emptyReply
    }),

    operationRoute(rotateWebhook, async ({ params }, exchange) => {
      refuseIdempotencyKey(exchange.request)
      const rotation = await webhooks.rotate(idOf(params))
      if (rotation.outcome === 'missing') throw missing()
      const { webhook, secret, previousSecretExpiresAt } = rotation
      return jsonReply(encodeWebhook({ ...webhook, secret, previousSecretExpiresAt }))
    }),
  ]
}

function withHealth(webhook: Webhook, failingSince: number | undefined, stall: Stall | undefined): Webhook {
  return {
    ...webhook,
    ...(failingSince !== undefined && { failingSince: new Date(failingSince).toISOString() }),
    ...(stall !== undefined &&
      webhook.enabled && { stalledSince: new Date(stall.since).toISOString(), stalledReason: stall.reason }),
  }
}

function idOf({ webhookId }: { webhookId: string }): bigint {
  const id = int64FromText(webhookId)
  if (id === undefined) throw missing()
  return id
}

function missing(): PetStoreError {
  return new PetStoreError('not_found', 'No webhook has this id.')
}
