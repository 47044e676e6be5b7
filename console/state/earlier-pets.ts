import { useEffect } from 'preact/hooks'
import { isPetStoreError, type Pet } from '../../client/src/index.ts'
import { toInt64 } from '../api/int64.ts'
import { isCurrent, service } from '../api/service.ts'
import { isPetChange, petIdOf } from './feed.ts'
import { type HistoryEntry, petIn } from './history.ts'
import { createSessionStore, useStore } from './store.ts'

/** Few at once, so that the service stays quick for others. */
const maxAtOnce = 4

/** What an animal was before an event, by the id of that event; null if nothing is kept of it. Never changes. */
const earlier = createSessionStore<ReadonlyMap<string, Pet | null>>(new Map())

/** The entries with what their animals were before: an event tells only what they became. */
export function useEarlierPets(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const known = useStore(earlier)
  const missing = entries.filter(
    ({ event, before }) => event.type === 'petstore.pet.updated' && before === undefined && !known.has(event.id),
  )
  const names = missing.map(({ event }) => event.id).join()
  useEffect(() => {
    if (missing.length > 0) void load(missing)
  }, [names])
  return entries.map((entry) => ({ ...entry, before: entry.before ?? known.get(entry.event.id) ?? undefined }))
}

async function load(entries: readonly HistoryEntry[]): Promise<void> {
  const client = service()
  const waiting = [...entries]
  async function work(): Promise<void> {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      const { event } = entry
      try {
        const query = { petId: toInt64(petIdOf(event)), sort: '-id', after: event.id, limit: 2 } as const
        const { items } = await client.events.list(query).page()
        const before = petIn(items.find(isPetChange))
        if (isCurrent(client)) earlier.set(new Map(earlier.get()).set(event.id, before ?? null))
      } catch (error) {
        // "Was changed" stays: it is true as well.
        if (!isPetStoreError(error)) return
      }
    }
  }
  await Promise.all(Array.from({ length: maxAtOnce }, work))
}
