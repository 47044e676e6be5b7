import type { ShopEvent } from './contract.ts'

const positions = new WeakMap<ShopEvent, string>()

/** @internal */
export function rememberPosition(event: ShopEvent, position: string | undefined): void {
  if (position !== undefined) positions.set(event, position)
}

/**
 * The position of an event in its stream: pass it to `follow` as `after`. Opaque. It includes the history of the
 * events, so a stream does not continue in another history, for example after a backup was restored. For an event that
 * did not come from a stream it is the id alone.
 */
export function positionOf(event: ShopEvent): string {
  return positions.get(event) ?? event.id
}
