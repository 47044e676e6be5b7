import type { Int64, Pet, PetStatus } from '../../client/src/index.ts'
import { isSamePet } from './pets.ts'

// The status that an animal will get by an order of this tab, by the animal's id. Recorded before the request is sent:
// the event may arrive before the response.
const expected = new Map<string, PetStatus>()

/** Runs a change of an order that sets the status of its animal. Nothing is expected after a failure. */
export async function expectingStatus<Result>(
  petId: Int64,
  status: PetStatus,
  change: () => Promise<Result>,
): Promise<Result> {
  expected.set(String(petId), status)
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
  const isOwn = now.status !== before.status && expected.get(id) === now.status
  if (isOwn) expected.delete(id)
  return isOwn && isSamePet({ ...before, status: now.status }, now)
}
