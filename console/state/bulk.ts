import { isPetStoreError, type Pet, type PetChange } from '../../client/src/index.ts'
import { errorText } from '../api/error-text.ts'
import { service } from '../api/service.ts'
import { publish } from './feed.ts'
import { expectingPet } from './own-changes.ts'

/** A change of all chosen animals. Making it twice has the same effect as once. */
export type BulkChange = Pick<PetChange, 'status' | 'categoryId'> | 'delete'

export interface BulkFailure {
  pet: Pet
  reason: string
}

/** Few, so that the service stays quick for others. */
const maxAtOnce = 8

/** Makes the change to each animal, a few at a time. Resolves to the animals that could not be changed, and why. */
export async function changeAll(
  pets: readonly Pet[],
  change: BulkChange,
  onDone: (done: number) => void,
): Promise<BulkFailure[]> {
  const waiting = [...pets]
  const failures: BulkFailure[] = []
  let done = 0

  async function work(): Promise<void> {
    for (let pet = waiting.shift(); pet !== undefined; pet = waiting.shift()) {
      try {
        await (change === 'delete' ? remove(pet) : update(pet, change))
      } catch (error) {
        failures.push({ pet, reason: errorText(error) })
      }
      onDone(++done)
    }
  }
  await Promise.all(Array.from({ length: maxAtOnce }, work))
  return failures
}

async function update(pet: Pet, change: Pick<PetChange, 'status' | 'categoryId'>): Promise<void> {
  const { status = pet.status, categoryId = pet.categoryId } = change
  const { status: _before, ...rest } = pet
  const after = { ...rest, categoryId, ...(status !== null && status !== undefined && { status }) }
  const changed = await expectingPet(after, () => service().pets.update(pet.id, change as { categoryId: number }))
  publish({ type: 'petstore.pet.updated', data: changed })
}

async function remove(pet: Pet): Promise<void> {
  try {
    await service().pets.delete(pet.id)
  } catch (error) {
    // It is gone already.
    if (!isPetStoreError(error, 'not_found')) throw error
  }
  publish({ type: 'petstore.pet.deleted', data: pet })
}
