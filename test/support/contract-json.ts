import * as fc from 'fast-check'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import type { Pet } from '../../src/contract/pet.ts'

export const int64 = fc.oneof(
  fc.bigInt(int64Min, int64Max),
  fc.bigInt(2n ** 53n - 5n, 2n ** 53n + 5n),
  fc.constantFrom(int64Min, int64Max, 0n, -1n, 10n ** 15n, 10n ** 15n - 1n),
)
export const anyPet: fc.Arbitrary<Pet> = fc
  .record({
    id: int64,
    name: fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string()),
    categoryId: int64,
    status: fc.constantFrom(undefined, 'available' as const, 'pending' as const, 'sold' as const),
  })
  .map(({ status, ...pet }) => (status === undefined ? pet : { ...pet, status }))
