import type { Pet } from '../../../contract/pet.ts'
import type { PetPage, PetQuery } from '../../../inventory/pets.ts'

/** The page of a filter by id: the pet, if there is one that matches. */
export function pageOfOne(pet: Pet | undefined, { withTotal }: PetQuery, after: bigint): PetPage {
  const items = pet !== undefined && pet.id > after ? [pet] : []
  return { items, more: false, ...(withTotal && { total: pet === undefined ? 0n : 1n }) }
}
