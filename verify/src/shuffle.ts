/** The same order for the same seed, on every machine. */
export function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const shuffled = [...items]
  const random = generator(seed)
  for (let index = shuffled.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    const [a, b] = [shuffled[index] as Item, shuffled[other] as Item]
    shuffled[index] = b
    shuffled[other] = a
  }
  return shuffled
}

/** Mulberry32. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
