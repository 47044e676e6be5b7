import {
  type BulkPetChange,
  CallError,
  isPetStoreError,
  type Pet,
  type PetStore,
  type WithEtag,
} from '../../client/src/index.ts'
import { errorText } from '../api/error-text.ts'
import { service } from '../api/service.ts'
import { publishOwn } from './feed.ts'
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

/** An animal as the change left it, and what sets it back. */
interface BulkChanged {
  after: WithEtag<Pet>
  back: BulkPetChange
}

export interface BulkResult {
  failures: readonly BulkFailure[]
  /** Those that can be set back. */
  changed: readonly BulkChanged[]
  /** All of it was done with the key of this client, also if another user signed in meanwhile. */
  client: PetStore
}

/** Few, so that the service stays quick for others. */
const maxAtOnce = 8

/** Makes the change to each animal, a few at a time. Failures are animals that were not changed, as far as known. */
export async function changeAll(
  pets: readonly Pet[],
  change: BulkChange,
  onDone: (done: number) => void,
): Promise<BulkResult> {
  const client = service()
  const failures: BulkFailure[] = []
  const changed: BulkChanged[] = []
  let done = 0
  await forEach(pets, async (pet) => {
    try {
      if (change === 'delete') await remove(client, pet)
      else changed.push({ after: await update(client, pet, change), back: backFrom(pet, change) })
    } catch (error) {
      const isChanged = await wasChanged(client, pet, change, error)
      if (isChanged !== true) failures.push({ pet, reason: errorText(error), isUnknown: isChanged === undefined })
    }
    onDone(++done)
  })
  return { failures, changed, client }
}

/** Sets animals back that nobody changed since. Resolves to the number of those that stay, and the last reason. */
export async function undoAll({ changed, client }: BulkResult): Promise<{ stayed: number; error?: unknown }> {
  let stayed = 0
  let error: unknown
  await forEach(changed, async ({ after, back }) => {
    try {
      if (!(await undoChange(after, petAfter(after, back), client))) stayed++
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
async function wasChanged(
  client: PetStore,
  pet: Pet,
  change: BulkChange,
  error: unknown,
): Promise<boolean | undefined> {
  if (!(error instanceof CallError && error.mayHaveSucceeded)) return false
  try {
    const now = await client.pets.find(pet.id)
    if (now === undefined) {
      publishOwn(client, { type: 'petstore.pet.deleted', data: pet })
      return change === 'delete'
    }
    publishOwn(client, { type: 'petstore.pet.updated', data: now })
    return change !== 'delete' && isSamePet(now, petAfter(now, change))
  } catch {
    return undefined
  }
}

/** What takes this change back: only what it sets, because a colleague may have changed the rest. */
function backFrom({ status, categoryId }: Pet, change: BulkPetChange): BulkPetChange {
  return {
    ...(change.status !== undefined && { status: status ?? null }),
    ...(change.categoryId !== undefined && { categoryId }),
  }
}

function petAfter(pet: Pet, { status = pet.status, categoryId = pet.categoryId }: BulkPetChange): Pet {
  const { status: _before, ...rest } = pet
  return { ...rest, categoryId, ...(status !== null && status !== undefined && { status }) }
}

async function update(client: PetStore, pet: Pet, change: BulkPetChange): Promise<WithEtag<Pet>> {
  const changed = await expectingPet(petAfter(pet, change), () => client.pets.update(pet.id, change))
  publishOwn(client, { type: 'petstore.pet.updated', data: changed })
  return changed
}

async function remove(client: PetStore, pet: Pet): Promise<void> {
  try {
    await client.pets.delete(pet.id)
  } catch (error) {
    // It is gone already.
    if (!isPetStoreError(error, 'not_found')) throw error
  }
  publishOwn(client, { type: 'petstore.pet.deleted', data: pet })
}
