import assert from 'node:assert/strict'
import type { NewPet, Pet } from '../../src/contract/pet.ts'
import { PetStoreError } from '../../src/inventory/errors.ts'
import type { IdempotencyKey } from '../../src/inventory/idempotency-key.ts'
import type { Creation, Pets } from '../../src/inventory/pets.ts'

export const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }
export const idempotencyKey: IdempotencyKey = { keyId: 'key_a', name: 'first try', fingerprint: 'of Rex' }

/** Names that an engine or its JSON may damage. */
export const names = {
  'an emoji of several code points': '👩‍👩‍👧‍👦 🐇',
  'right to left text': 'كلب \u202eabc\u202c שלום',
  'combining marks that could be composed': 'e\u0301 n\u0303 \u1112\u1161\u11ab',
  'white space at both ends': ' \t Rex\r\n\u00a0\u2028',
  'a byte order mark': '\ufeffRex\ufeff',
  'quotes and backslashes': `"'\\"';--\\u0041`,
  'control characters': '\u0001\u001f\u007f\u0085',
  'the highest code point': '\u{10ffff}\uffff\ufffe',
  'digits that look like numbers': '1.0 1e3 12345678901234567890',
  'a thousand emoji': '🐕'.repeat(1000),
}

/** Animals whose status changes with every one (so every third is sold) and whose category with every second. */
export async function fill(pets: Pets, count: number): Promise<Pet[]> {
  const statuses = ['available', 'pending', 'sold'] as const
  const all: Pet[] = []
  for (let index = 0; index < count; index++) {
    const status = statuses[index % 3] ?? 'sold'
    const { pet } = created(await pets.create({ name: `pet ${index}`, categoryId: 1n + BigInt(index % 2), status }))
    all.push(pet)
  }
  return all
}

export function created(creation: Creation): { pet: Pet } {
  assert.ok('pet' in creation, `no animal in the outcome ${creation.outcome}`)
  return creation
}

export function idsOf(items: readonly Pet[]): bigint[] {
  return items.map(({ id }) => id)
}

export function isUnavailable(error: unknown): boolean {
  assert.ok(error instanceof PetStoreError, `not a PetStoreError but ${String(error)}`)
  assert.equal(error.code, 'unavailable')
  return true
}
