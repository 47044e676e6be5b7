/** Who has a place. */
export interface Holder {
  /** For how long its client has kept it waiting. */
  lateMs(): number
  /** Ends it: its place is gone. */
  cut(): void
}

/** A number of places for work that takes long. Owners, which are keys, share them. */
export interface Places {
  /**
   * Takes a place at once, and returns what gives it back, which can be called again. An owner gets as many as stay free
   * for others; undefined if it has these. If none is free, it takes the place of a holder that is late, the slowest one
   * of an owner that has more.
   */
  take(owner: string, holder?: Holder): (() => void) | undefined
}

interface Taken {
  owner: string
  holder: Holder | undefined
}

export function openPlaces(max: number, maxLateMs = Infinity): Places {
  const all = new Set<Taken>()
  const counts = new Map<string, number>()
  const countOf = (owner: string) => counts.get(owner) ?? 0

  function add(taken: Taken): void {
    all.add(taken)
    counts.set(taken.owner, countOf(taken.owner) + 1)
  }

  function remove(taken: Taken): void {
    if (!all.delete(taken)) return
    const left = countOf(taken.owner) - 1
    if (left === 0) counts.delete(taken.owner)
    else counts.set(taken.owner, left)
  }

  function cutSlowest(own: number): boolean {
    let slowest: Taken | undefined
    let longestMs = maxLateMs
    for (const taken of all) {
      const lateMs = taken.holder?.lateMs() ?? 0
      if (lateMs <= longestMs || countOf(taken.owner) <= own) continue
      slowest = taken
      longestMs = lateMs
    }
    if (slowest === undefined) return false
    remove(slowest)
    slowest.holder?.cut()
    return true
  }

  return {
    take(owner, holder) {
      const own = countOf(owner)
      const free = max - all.size
      if (own > free || (own === free && !cutSlowest(own))) return undefined
      const taken = { owner, holder }
      add(taken)
      return () => remove(taken)
    },
  }
}
