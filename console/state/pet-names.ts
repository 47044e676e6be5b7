import { type Int64, isPetStoreError } from '../../client/src/index.ts'
import { toInt64 } from '../api/int64.ts'
import { isCurrent, service } from '../api/service.ts'
import { followFeed, isPetChange } from './feed.ts'
import { createSessionStore, useStore } from './store.ts'

/** Names of animals by the digits of their ids; null for a deleted one. */
export type PetNames = ReadonlyMap<string, string | null>

/** For lists that know only the ids. Kept up to date by the feed. */
const names = createSessionStore<PetNames>(new Map())

followFeed((signal) => {
  if (signal === 'missed') return names.set(new Map())
  if (signal === 'resumed' || !isPetChange(signal)) return
  const { id, name } = signal.data
  if (names.get().has(String(id))) remember(id, signal.type === 'petstore.pet.deleted' ? null : name)
})

export function usePetNames(): PetNames {
  return useStore(names)
}

/** Reads unknown names. A failed read leaves a name unknown. */
export async function loadPetNames(ids: readonly string[]): Promise<void> {
  const client = service()
  const missing = [...new Set(ids)].filter((id) => !names.get().has(id))
  await Promise.all(
    missing.map(async (id) => {
      try {
        const pet = await client.pets.find(toInt64(id))
        // A name from the feed is newer.
        if (isCurrent(client) && !names.get().has(id)) remember(id, pet?.name ?? null)
      } catch (error) {
        if (isPetStoreError(error, 'invalid_parameter')) remember(id, null)
      }
    }),
  )
}

function remember(id: Int64 | string, name: string | null): void {
  names.set(new Map(names.get()).set(String(id), name))
}
