import type { ShopEvent } from './contract.ts'

const positions = new WeakMap<ShopEvent, string>()

/** @internal */
export function rememberPosition(event: ShopEvent, position: string | undefined): void {
  if (position !== undefined) positions.set(event, position)
}

/**
 * Where an event stands in the stream that it came with: what to give `follow` as `after`. Opaque. It names the history of
 * the events too, so a stream does not continue in another one, as after a backup was restored. Of an event that did not
 * come with a stream it is the id alone.
 */
export function positionOf(event: ShopEvent): string {
  return positions.get(event) ?? event.id
}
