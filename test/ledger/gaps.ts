/** The longest time without an acknowledged write, by what was going on. */
export interface Gaps {
  acknowledged(): void
  /** From the last acknowledgement before it on, a gap belongs to this kind. Returns a function that ends it. */
  during(kind: string): () => number
  /** In milliseconds, one for each time. */
  readonly byKind: ReadonlyMap<string, number[]>
}

export function writeGaps(): Gaps {
  const byKind = new Map<string, number[]>()
  let last = performance.now()
  let longest = 0

  return {
    byKind,
    acknowledged() {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    },
    during(kind) {
      longest = 0
      return () => {
        byKind.set(kind, [...(byKind.get(kind) ?? []), longest])
        return longest
      }
    },
  }
}
