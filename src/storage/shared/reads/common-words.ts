/** For how long a word counts as common. */
const commonForMs = 60_000
const maxRemembered = 1_000

/** Words that are known to be too common to be looked up in an index, for a minute: to find that out takes time. */
export interface CommonWords {
  has(word: string): boolean
  add(word: string): void
}

export function openCommonWords(): CommonWords {
  const endOf = new Map<string, number>()
  return {
    has: (word) => (endOf.get(word) ?? 0) > performance.now(),
    add(word) {
      if (endOf.size >= maxRemembered) endOf.clear()
      endOf.set(word, performance.now() + commonForMs)
    },
  }
}
