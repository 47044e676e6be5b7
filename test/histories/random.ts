/** A number from 0 up to 1, and so on: the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    /** From 0 to `below` - 1. */
    number: (below: number) => Math.floor(next() * below),
    chance: (share: number) => next() < share,
    of: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item,
  }
}

export type Random = ReturnType<typeof randomFrom>
