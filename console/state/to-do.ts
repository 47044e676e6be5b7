import type { Order, Webhook } from '../../client/src/index.ts'
import { service } from '../api/service.ts'
import { countOf, maxCounted } from './orders.ts'

const maxShown = 5

export interface OpenOrders {
  /** Those that wait longest. */
  oldest: readonly Order[]
  /** Of all, as far as they are counted: `100+`. */
  count: string
}

export async function readOpenOrders(signal: AbortSignal): Promise<OpenOrders> {
  const page = await service().orders.list({ status: 'placed', sort: 'id', limit: maxCounted }, { signal }).page()
  return { oldest: page.items.slice(0, maxShown), count: countOf(page) }
}

/** How many webhooks get no events, although nobody has asked for that. */
export async function readFailedWebhooks(): Promise<number> {
  let failed = 0
  for await (const webhook of service().webhooks.list({ limit: 100 })) if (isFailed(webhook)) failed++
  return failed
}

function isFailed({ enabled, disabledReason = 'requested', stalledSince, failingSince }: Webhook): boolean {
  return enabled ? stalledSince !== undefined || failingSince !== undefined : disabledReason !== 'requested'
}
