import {
  type CreatedWebhook,
  type EventType,
  isPetStoreError,
  type NewWebhook,
  type RotatedWebhook,
  type Webhook,
  type WebhookChange,
  type WebhookFormat,
  type WithEtag,
} from '../../client/src/index.ts'
import { toInt64 } from '../api/int64.ts'
import { service } from '../api/service.ts'
import { type Live, useLive } from './live.ts'

/** The types of events, and what people call them. */
export const eventTexts: Record<EventType, string> = {
  'petstore.pet.created': 'An animal was added',
  'petstore.pet.updated': 'An animal was changed',
  'petstore.pet.deleted': 'An animal was removed',
  'petstore.order.placed': 'An order was placed',
  'petstore.order.completed': 'An order was completed',
  'petstore.order.cancelled': 'An order was cancelled',
}

/** The formats of a webhook, and what people call them. */
export const formatTexts: Record<WebhookFormat, string> = {
  json: 'JSON',
  cloudevents: 'CloudEvents',
}

/** All webhooks, at most 1,000. Their changes make no events: other people's are seen when the page is shown again. */
export function useWebhooks(): Live<Webhook[]> {
  const read = (signal: AbortSignal) => service().webhooks.list({ limit: 100 }, { signal }).toArray()
  return useLive('webhooks', read, { concerns: () => false })
}

/** Null if there is none with this id. */
export function useWebhook(id: string): Live<WithEtag<Webhook> | null> {
  async function read(signal: AbortSignal): Promise<WithEtag<Webhook> | null> {
    try {
      return await service().webhooks.get(toInt64(id), { signal })
    } catch (error) {
      if (isPetStoreError(error, 'not_found')) return null
      throw error
    }
  }
  return useLive(`webhook ${id}`, read, { concerns: () => false })
}

export function createWebhook(webhook: NewWebhook): Promise<CreatedWebhook> {
  return service().webhooks.create(webhook)
}

/** Fails if somebody else has changed it since it was read. */
export function changeWebhook(read: WithEtag<Webhook>, change: WebhookChange): Promise<WithEtag<Webhook>> {
  return service().webhooks.update(read.id, change, { ifMatch: read })
}

export function rotateWebhook({ id }: Webhook): Promise<RotatedWebhook> {
  return service().webhooks.rotate(id)
}

/** One that is gone already is as good as removed. */
export async function removeWebhook({ id }: Webhook): Promise<void> {
  try {
    await service().webhooks.delete(id)
  } catch (error) {
    if (!isPetStoreError(error, 'not_found')) throw error
  }
}
