import type { ShopEvent } from './contract.ts'

/** An event and its position: pass it to `follow` or `list` as `after`. */
export type WithPosition<Event extends object> = Event & { readonly position?: string }

/** @internal */
export function addPosition<Event extends object>(event: Event, position: string | undefined): WithPosition<Event> {
  return position === undefined ? event : Object.assign(event, { position })
}

/**
 * For the events of a page, whose `Event-Position` is an id and the history of the database: the same history, with
 * their own ids.
 * @internal
 */
export function addPositions(events: readonly object[], position: string): void {
  const history = /^\d+(-\w+)$/.exec(position)?.[1]
  if (!history) return
  for (const event of events) addPosition(event, (event as ShopEvent).id + history)
}

/**
 * The position of an event: pass it to `follow` or `list` as `after`. Opaque. It includes the history of the events, so
 * a reader does not continue in another history, for example after a backup was restored. Copies keep it. For an event
 * of an older service it is the id alone.
 */
export function positionOf(event: WithPosition<{ readonly id: string }>): string {
  return event.position ?? event.id
}
