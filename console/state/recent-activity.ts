import type { ShopEvent } from '../../client/src/index.ts'
import { followFeed } from './feed.ts'
import { createSessionStore, useStore } from './store.ts'

const maxEvents = 6

/** Latest first. It outlives the view. */
const events = createSessionStore<readonly ShopEvent[]>([])

followFeed((signal) => {
  if (typeof signal === 'object' && 'time' in signal) events.set([signal, ...events.get()].slice(0, maxEvents))
})

export function useRecentActivity(): readonly ShopEvent[] {
  return useStore(events)
}
