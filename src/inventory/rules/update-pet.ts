import { encodePet, type Pet, type PetChange } from '../../contract/pet.ts'
import type { Refusal } from '../pets.ts'
import { isMet, type Precondition } from '../precondition.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'
import { withChange } from './change.ts'

export interface UpdatePet {
  id: bigint
  change: PetChange
  precondition?: Precondition | undefined
  at: number
  author?: string | undefined
}

/** The status of a pet with an open order changes only through the order. */
export function updatePet(
  facts: Facts,
  { id, change, precondition, at, author }: UpdatePet,
): Decision<{ outcome: 'updated'; pet: Pet } | Refusal> {
  const before = facts.find('pets', id)
  if (before === undefined) return unchanged({ outcome: 'missing' })
  if (!isMet(precondition, encodePet(before))) return unchanged({ outcome: 'unmet' })
  const pet = withChange(before, change)
  if (encodePet(pet) === encodePet(before)) return unchanged({ outcome: 'updated', pet })
  if (pet.status !== before.status && facts.hasOpenOrder(id)) return unchanged({ outcome: 'ordered' })
  return changed({ outcome: 'updated', pet }, [{ type: 'pet.updated', before, pet, at, author }])
}
