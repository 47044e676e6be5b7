/** The longest times without an acknowledged write, by kind of fault. */
export interface Gaps {
  acknowledged(): void
  /** Starts a fault of this kind. The returned function ends it and returns its longest gap. */
  during(kind: string): () => number
  /** In milliseconds, one for each fault. */
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
