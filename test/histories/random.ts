import { randomNumbers } from '../../src/sandbox/random-numbers.ts'

/** Choices that look random: the same ones for the same seed. */
export function randomFrom(seed: number) {
  const next = randomNumbers(seed)
  return {
    /** From 0 to `below` - 1. */
    number: (below: number) => Math.floor(next() * below),
    chance: (share: number) => next() < share,
    of: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item,
  }
}

export type Random = ReturnType<typeof randomFrom>
