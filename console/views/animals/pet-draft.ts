import type { NewPet, PetStatus } from '../../../client/src/index.ts'

/** Typed values by field; other fields show the animal, also when it changes. */
export interface PetDraft {
  name?: string
  category?: string
  /** Null for no status. */
  status?: PetStatus | null
}

/** A draft after something was typed. Undefined if nothing is left of it: an empty name of a new animal is nothing. */
export function draftAfter(draft: PetDraft | undefined, change: PetDraft, pet: Partial<NewPet>): PetDraft | undefined {
  const { name, ...others }: PetDraft = { ...draft, ...change }
  const isEmpty = name === undefined || (name === '' && pet.name === undefined)
  const next = isEmpty ? others : { ...others, name }
  return Object.keys(next).length === 0 ? undefined : next
}
