import type { Int64 } from '../../client/src/index.ts'
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
/** As many as a page of animals can have. */
const maxIds = 100

/** The ids whose names are being read. */
const asked = new Set<string>()

followFeed((signal) => {
  if (signal === 'missed') return names.set(new Map())
  if (signal === 'resumed' || !isPetChange(signal)) return
  const { id, name } = signal.data
  if (names.get().has(String(id)) || asked.has(String(id)))
    remember(id, signal.type === 'petstore.pet.deleted' ? null : name)
})

export function usePetNames(): PetNames {
  return useStore(names)
}

/** Reads unknown names, many with one request. A failed read leaves them unknown. */
export async function loadPetNames(ids: readonly string[]): Promise<void> {
  const client = service()
  const missing = [...new Set(ids)].filter((id) => !names.get().has(id))
  const unread: string[] = []
  const reading = Promise.resolve().then(() => readAll(client, unread))
  // A list asks again for the rest with every name that comes.
  await Promise.all(
    missing.map((id) =>
      reads(client, id, () => {
        unread.push(id)
        return reading
      }),
    ),
  )
}

async function readAll(client: Client, ids: readonly string[]): Promise<void> {
  const parts = Array.from({ length: Math.ceil(ids.length / maxIds) }, (_, index) => index * maxIds)
  await Promise.all(parts.map((start) => readNames(client, ids.slice(start, start + maxIds))))
}

async function readNames(client: Client, ids: readonly string[]): Promise<void> {
  for (const id of ids) asked.add(id)
  try {
    const { items } = await client.pets.list({ ids: ids.join(), limit: maxIds }).page()
    const found = new Map(items.map(({ id, name }) => [String(id), name]))
    // A service without this filter ignores it.
    if (!isCurrent(client) || [...found.keys()].some((id) => !ids.includes(id))) return
    // A name from the feed is newer.
    names.set(new Map([...ids.map((id) => [id, found.get(id) ?? null] as const), ...names.get()]))
  } catch {
    // A list shows the numbers.
  } finally {
    for (const id of ids) asked.delete(id)
  }
}

function remember(id: Int64 | string, name: string | null): void {
  names.set(new Map(names.get()).set(String(id), name))
}
