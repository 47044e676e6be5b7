import type { ShopEvent } from '../../src/contract/event.ts'
import type { NewPet } from '../../src/contract/pet.ts'

export const newYear = Date.UTC(2030, 0, 1)
/** Later than any time of these tests, in milliseconds. */
export const farFuture = Date.UTC(2100, 0, 1)
export const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }
export const idempotencyKey = { keyId: 'key_a', name: 'first try', fingerprint: 'of Rex' }
export const wrong = { ...rex, status: 'lost' } as unknown as NewPet

export function idsOf(items: readonly ShopEvent[]): bigint[] {
  return items.map(({ id }) => id)
}
