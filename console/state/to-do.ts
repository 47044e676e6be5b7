import type { Import, Order, Webhook } from '../../client/src/index.ts'
import { service } from '../api/service.ts'
import { serviceNow } from '../api/service-clock.ts'
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

/** What was rejected longer ago is settled, or nobody wants it. */
const maxImportAgeMs = 7 * 24 * 60 * 60_000
const maxImports = 100

/**
 * The imports of the last days whose rows were rejected in part, and which were not undone. The import of this page asks
 * about such rows before it adds any, so these are those of programs.
 */
export async function readRejectedImports(signal: AbortSignal): Promise<readonly Import[]> {
  const { items } = await service().pets.imports({ limit: maxImports }, { signal }).page()
  const since = serviceNow() - maxImportAgeMs
  return items.filter(({ rejected, undoneAt, at }) => rejected > 0 && undoneAt === undefined && Date.parse(at) >= since)
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
