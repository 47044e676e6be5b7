import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { DeliveryLease, DeliveryPosition, NewDeliveryTry } from '../../src/inventory/deliveries.ts'
import type { Storage } from '../../src/inventory/storage.ts'

export const hour = 60 * 60_000
export const first: NewDeliveryTry = {
  webhookId: 1n,
  eventId: 9_007_199_254_740_993n,
  type: 'petstore.pet.created',
  at: 1_000,
  attempt: 1,
  status: 200,
  durationMs: 12,
  responseStart: 'ok “ü” "quoted" \\ {braces}',
}
export const failed: NewDeliveryTry = {
  webhookId: 1n,
  eventId: 2n,
  type: 'petstore.pet.updated',
  at: 2_000,
  attempt: 3,
  durationMs: 15_000,
  error: 'no response within 15 s',
  nextAttemptAt: 302_000,
}
export const testTry: NewDeliveryTry = {
  webhookId: 2n,
  type: 'petstore.webhook.test',
  at: 3_000,
  attempt: 1,
  durationMs: 0,
}
export const position: DeliveryPosition = { webhookId: 1n, eventId: 7n, attempts: 0 }

export async function leaseOf({ deliveries }: Storage, leaseMs = hour): Promise<DeliveryLease> {
  const lease = await deliveries.acquire(randomUUID(), leaseMs)
  assert.ok(lease !== undefined)
  return lease
}

export async function byWebhook({ deliveries }: Storage): Promise<DeliveryPosition[]> {
  return (await deliveries.positions()).toSorted((one, other) => Number(one.webhookId - other.webhookId))
}
