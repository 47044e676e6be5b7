import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Order } from '../../src/contract/order.ts'
import type { NewPet, PetStatus } from '../../src/contract/pet.ts'
import type { Clock } from '../../src/inventory/clock.ts'
import type { IdempotencyKey } from '../../src/inventory/idempotency-key.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import type { Engine } from './engines.ts'

export const newYear = Date.UTC(2030, 0, 1)
export const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }
export const idempotencyKey: IdempotencyKey = { keyId: 'key_a', name: 'first try', fingerprint: 'of an order for 1' }
/** The first order of a shop, placed for animal 1 at New Year. */
export const firstOrder: Order = {
  id: 1n,
  petId: 1n,
  status: 'placed',
  placedAt: '2030-01-01T00:00:00.000Z',
  updatedAt: '2030-01-01T00:00:00.000Z',
}

/** A shop with so many available animals. */
export async function openShop(
  engine: Engine,
  t: TestContext,
  animals: number,
  clock: Clock = () => newYear,
): Promise<Storage> {
  const storage = await engine.open(t, clock)
  for (let added = 0; added < animals; added++) await storage.pets.create(rex)
  return storage
}

/** One shop, as two instances have it. */
export async function openTwice(engine: Engine, t: TestContext): Promise<[Storage, Storage]> {
  const url = await engine.url(t)
  const storages: [Storage, Storage] = [await openStorage(url), await openStorage(url)]
  t.after(() => Promise.all(storages.map((storage) => storage.close())))
  return storages
}

export function placed(placement: { outcome: string; order?: Order; status?: PetStatus | undefined }): Order {
  assert.ok(placement.order !== undefined, `no order in the outcome ${placement.outcome}`)
  return placement.order
}

export function tally(results: readonly { outcome: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}
