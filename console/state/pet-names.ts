import { type Int64, isPetStoreError } from '../../client/src/index.ts'
import { toInt64 } from '../api/int64.ts'
import { isCurrent, service } from '../api/service.ts'
import { followFeed, isPetChange } from './feed.ts'
import { sharedReads } from './shared-reads.ts'
import { createSessionStore, useStore } from './store.ts'

/** Names of animals by the digits of their ids; null for a deleted one. */
export type PetNames = ReadonlyMap<string, string | null>

type Client = ReturnType<typeof service>

/** For lists that know only the ids. Kept up to date by the feed. */
const names = createSessionStore<PetNames>(new Map())
const reads = sharedReads()

followFeed((signal) => {
  if (signal === 'missed') return names.set(new Map())
  if (signal === 'resumed' || !isPetChange(signal)) return
  const { id, name } = signal.data
  if (names.get().has(String(id)) || batch?.found.has(String(id)))
    remember(id, signal.type === 'petstore.pet.deleted' ? null : name)
})

export function usePetNames(): PetNames {
  return useStore(names)
}

/** Reads unknown names. A failed read leaves a name unknown. */
export async function loadPetNames(ids: readonly string[]): Promise<void> {
  const client = service()
  const missing = [...new Set(ids)].filter((id) => !names.get().has(id))
  // A list asks again for the rest with every name that comes.
  await Promise.all(missing.map((id) => reads(client, id, () => readName(client, id))))
}

async function readName(client: Client, id: string): Promise<void> {
  try {
    const pet = await client.pets.find(toInt64(id))
    await showSoon(client, id, pet?.name ?? null)
  } catch (error) {
    if (isPetStoreError(error, 'invalid_parameter')) await showSoon(client, id, null)
  }
}

/** Names that are shown together, because each change draws a whole list. */
interface Batch {
  client: Client
  found: Map<string, string | null>
  shown: Promise<void>
}

const batchMs = 50
let batch: Batch | undefined

/** Until it is shown it counts as being read. */
function showSoon(client: Client, id: string, name: string | null): Promise<void> {
  if (batch?.client !== client) {
    const { promise: shown, resolve } = Promise.withResolvers<void>()
    const fresh: Batch = { client, found: new Map(), shown }
    batch = fresh
    setTimeout(() => {
      if (batch === fresh) batch = undefined
      // A name from the feed is newer.
      if (isCurrent(client)) names.set(new Map([...fresh.found, ...names.get()]))
      resolve()
    }, batchMs)
  }
  batch.found.set(id, name)
  return batch.shown
}

function remember(id: Int64 | string, name: string | null): void {
  names.set(new Map(names.get()).set(String(id), name))
}
