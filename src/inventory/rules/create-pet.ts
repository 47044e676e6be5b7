import { decodePet, encodePet, type NewPet } from '../../contract/pet.ts'
import type { IdempotencyKey } from '../idempotency-key.ts'
import type { Creation } from '../pets.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'
import { replayOf, storeResponse } from './idempotency.ts'

export interface CreatePet {
  pet: NewPet
  idempotencyKey?: IdempotencyKey | undefined
  at: number
  author?: string | undefined
}

export function createPet(facts: Facts, command: CreatePet): Decision<Creation> {
  const earlier = replayOf(facts, command, (body) => ({ outcome: 'replayed' as const, pet: decodePet(body) }))
  if (earlier !== undefined) return unchanged(earlier)

  const { at, author } = command
  const pet = { id: facts.nextId('pets'), ...command.pet }
  return changed({ outcome: 'created', pet }, [
    { type: 'pet.created', pet, at, author },
    ...storeResponse(command, () => encodePet(pet)),
  ])
}
