import { encodePet } from '../../contract/pet.ts'
import type { Refusal } from '../pets.ts'
import { isMet, type Precondition } from '../precondition.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'

export interface RemovePet {
  id: bigint
  precondition?: Precondition | undefined
  at: number
  author?: string | undefined
}

export function removePet(
  facts: Facts,
  { id, precondition, at, author }: RemovePet,
): Decision<{ outcome: 'removed' } | Refusal> {
  const pet = facts.find('pets', id)
  if (pet === undefined) return unchanged({ outcome: 'missing' })
  if (!isMet(precondition, encodePet(pet))) return unchanged({ outcome: 'unmet' })
  if (facts.hasOpenOrder(id)) return unchanged({ outcome: 'ordered' })
  return changed({ outcome: 'removed' }, [{ type: 'pet.deleted', pet, at, author }])
}
