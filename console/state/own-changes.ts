import type { Int64, NewPet, Pet, PetStatus } from '../../client/src/index.ts'
import { isSamePet } from './pets.ts'

// What an animal will be by a change of this tab, by the animal's id: its status by an order, or the whole animal.
// Recorded before the request is sent: the event may arrive before the response.
const expected = new Map<string, PetStatus | NewPet>()

/** Runs a change that makes an animal like `pet`. Nothing is expected after a failure. */
export function expectingPet<Result>(pet: Pet, change: () => Promise<Result>): Promise<Result> {
  return expecting(pet.id, pet, change)
}

/** Runs a change of an order that sets the status of its animal. Nothing is expected after a failure. */
export function expectingStatus<Result>(
  petId: Int64,
  status: PetStatus,
  change: () => Promise<Result>,
): Promise<Result> {
  return expecting(petId, status, change)
}

async function expecting<Result>(
  petId: Int64,
  outcome: PetStatus | NewPet,
  change: () => Promise<Result>,
): Promise<Result> {
  expected.set(String(petId), outcome)
  try {
    return await change()
  } catch (error) {
    expected.delete(String(petId))
    throw error
  }
}

/** Whether this tab made the change. True once for each change. */
export function isOwnChange(before: Pet, now: Pet): boolean {
  const id = String(now.id)
  const outcome = expected.get(id)
  const wanted = typeof outcome === 'string' ? { ...before, status: outcome } : outcome
  const isOwn = wanted !== undefined && isSamePet(wanted, now)
  if (isOwn) expected.delete(id)
  return isOwn
}
