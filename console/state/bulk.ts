import { type BulkPetChange, CallError, isPetStoreError, type Pet, type WithEtag } from '../../client/src/index.ts'
import { errorText } from '../api/error-text.ts'
import { service } from '../api/service.ts'
import { publish } from './feed.ts'
import { undoChange } from './history.ts'
import { expectingPet } from './own-changes.ts'
import { isSamePet } from './pets.ts'

/** A change of all chosen animals. Making it twice has the same effect as once. */
export type BulkChange = BulkPetChange | 'delete'

export interface BulkFailure {
  pet: Pet
  reason: string
  /** Whether it may have been changed: the response was lost, and reading the animal again failed too. */
  isUnknown: boolean
}

/** An animal as the page had it, and as the change left it. */
export interface BulkChanged {
  before: Pet
  after: WithEtag<Pet>
}

export interface BulkResult {
  failures: readonly BulkFailure[]
  /** Those that can be set back. */
  changed: readonly BulkChanged[]
}

/** Few, so that the service stays quick for others. */
const maxAtOnce = 8

/** Makes the change to each animal, a few at a time. Failures are animals that were not changed, as far as known. */
export async function changeAll(
  pets: readonly Pet[],
  change: BulkChange,
  onDone: (done: number) => void,
): Promise<BulkResult> {
  const failures: BulkFailure[] = []
  const changed: BulkChanged[] = []
  let done = 0
  await forEach(pets, async (pet) => {
    try {
      if (change === 'delete') await remove(pet)
      else changed.push({ before: pet, after: await update(pet, change) })
    } catch (error) {
      const isChanged = await wasChanged(pet, change, error)
      if (isChanged !== true) failures.push({ pet, reason: errorText(error), isUnknown: isChanged === undefined })
    }
    onDone(++done)
  })
  return { failures, changed }
}

/** Sets animals back that nobody changed since. Resolves to the number of those that stay, and the last reason. */
export async function undoAll(changed: readonly BulkChanged[]): Promise<{ stayed: number; error?: unknown }> {
  let stayed = 0
  let error: unknown
  await forEach(changed, async ({ before, after }) => {
    try {
      const { status, categoryId } = before
      const wanted = petAfter(after, { status: status ?? null, categoryId })
      if (!(await undoChange(after, wanted))) stayed++
    } catch (failed) {
      stayed++
      error = failed
    }
  })
  return { stayed, error }
}

async function forEach<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items]
  async function work(): Promise<void> {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item)
  }
  await Promise.all(Array.from({ length: maxAtOnce }, work))
}

/** Whether the change was made in spite of the error; undefined if that cannot be known now. */
async function wasChanged(pet: Pet, change: BulkChange, error: unknown): Promise<boolean | undefined> {
  if (!(error instanceof CallError && error.mayHaveSucceeded)) return false
  try {
    const now = await service().pets.find(pet.id)
    if (now === undefined) {
      publish({ type: 'petstore.pet.deleted', data: pet })
      return change === 'delete'
    }
    publish({ type: 'petstore.pet.updated', data: now })
    return change !== 'delete' && isSamePet(now, petAfter(now, change))
  } catch {
    return undefined
  }
}

function petAfter(pet: Pet, { status = pet.status, categoryId = pet.categoryId }: Exclude<BulkChange, 'delete'>): Pet {
  const { status: _before, ...rest } = pet
  return { ...rest, categoryId, ...(status !== null && status !== undefined && { status }) }
}

async function update(pet: Pet, change: BulkPetChange): Promise<WithEtag<Pet>> {
  const changed = await expectingPet(petAfter(pet, change), () => service().pets.update(pet.id, change))
  publish({ type: 'petstore.pet.updated', data: changed })
  return changed
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
