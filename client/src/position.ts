import type { ShopEvent } from './contract.ts'

const positions = new WeakMap<object, string>()

/** @internal */
export function rememberPosition(event: ShopEvent, position: string | undefined): void {
  if (position !== undefined) positions.set(event, position)
}

/**
 * For the events of a page, whose `Event-Position` is an id and the history of the database: the same history, with
 * their own ids.
 * @internal
 */
export function rememberPositions(events: readonly object[], position: string): void {
  const history = /^\d+(-\w+)$/.exec(position)?.[1]
  if (history === undefined) return
  for (const event of events) positions.set(event, (event as ShopEvent).id + history)
}

/**
 * The position of an event: pass it to `follow` or `list` as `after`. Opaque. It includes the history of the events, so
 * a reader does not continue in another history, for example after a backup was restored. For a copy of an event, or
 * one of an older service, it is the id alone.
 */
export function positionOf(event: ShopEvent): string {
  return positions.get(event) ?? event.id
}
