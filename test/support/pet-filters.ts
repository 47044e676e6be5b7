import type { PetStatus } from '../../src/contract/pet.ts'
import type { PetFilter } from '../../src/inventory/pets.ts'

export const statuses: readonly (PetStatus | undefined)[] = ['available', 'pending', 'sold', undefined]

/** One filter for each statement of a list, except for the list of all pets. */
export const petFilters: readonly PetFilter[] = [
  { status: 'sold' },
  { status: 'none' },
  { categoryId: 1n },
  { categoryId: 1n, status: 'sold' },
  { categoryId: 1n, status: 'none' },
]
