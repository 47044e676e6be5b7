import type { ShopEvent } from '../../client/src/index.ts'

/** At most four times a second: more often nobody sees it, and an import has thousands of events. */
const intervalMs = 250

export interface EventBatches {
  add(event: ShopEvent): void
  /** Publishes the events that wait, at once. */
  flush(): void
}

/** Publishes the first event at once, and those that follow within the interval together, in their order. */
export function batchEvents(publish: (events: readonly ShopEvent[]) => void): EventBatches {
  let events: ShopEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (events.length === 0) return
    const batch = events
    events = []
    publish(batch)
  }
  function onTimeUp(): void {
    timer = undefined
    if (events.length > 0) publishAndWait()
  }
  function publishAndWait(): void {
    flush()
    timer = setTimeout(onTimeUp, intervalMs)
  }
  return {
    add(event) {
      events.push(event)
      if (timer === undefined) publishAndWait()
    },
    flush,
  }
}
