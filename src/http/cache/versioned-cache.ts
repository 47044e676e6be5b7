/**
 * What was read from the storage, kept while the storage's version stays the same: never stale, whoever wrote.
 *
 * `refresh` runs at the start of every request and empties the cache if anything was committed. Whatever is found later
 * in that request was therefore true at some moment after the request was sent, which is all a reader can ask.
 */
export interface VersionedCache {
  /**
   * Asks the storage once for all requests that arrived together: every one that is read in this turn of the event loop
   * was on its way before the first of them was read, so what was true then is new enough for each.
   */
  refresh(): void
  /** Counts the turns in which `refresh` was called. */
  readonly turn: number
  /** The requests that follow were not on their way when the storage was last asked: ask again, in the same turn. */
  expire(): void
  /**
   * A part of the cache for one kind of value, which forgets everything when its values together grow beyond `bound`. A
   * value that is more than a quarter of it is not kept: it would displace too many others.
   */
  section<Value>(bound: number, weigh: (value: Value) => number): CacheSection<Value>
}

export interface CacheSection<Value> {
  get(key: string): Value | undefined
  /** Call before reading. The function it returns keeps what was read, unless something was committed meanwhile. */
  reading(): (key: string, value: Value) => void
}

/** Bounds how many requests share an answer: the event loop may look for new ones between thousands of ready sockets. */
const sharedBy = 100

export function versionedCache(ask: () => number): VersionedCache {
  let current = version()
  /** How many more requests of this turn may rely on `current`. */
  let shares = 0
  let turn = 0
  let ending = false
  const sections: { clear(): void }[] = []

  // A storage that cannot tell its version has none: NaN is not even the same as itself, so nothing is kept or found.
  function version(): number {
    try {
      return ask()
    } catch {
      return Number.NaN
    }
  }

  function expire(): void {
    shares = 0
  }

  function endTurn(): void {
    ending = false
    turn++
    expire()
  }

  return {
    get turn() {
      return turn
    },
    expire,
    refresh() {
      if (shares > 0) return void shares--
      if (!ending) setImmediate(endTurn)
      ending = true
      shares = sharedBy
      const now = version()
      if (now === current) return
      current = now
      for (const section of sections) section.clear()
    },

    section<Value>(bound: number, weigh: (value: Value) => number): CacheSection<Value> {
      const values = new Map<string, Value>()
      let weight = 0
      function clear(): void {
        values.clear()
        weight = 0
      }
      sections.push({ clear })

      return {
        get: (key) => values.get(key),
        reading() {
          const before = shares > 0 ? current : version()
          return (key, value) => {
            if (before !== current || values.has(key)) return
            const own = weigh(value)
            if (own > bound / 4) return
            weight += own
            if (weight > bound) clear()
            else values.set(key, value)
          }
        },
      }
    },
  }
}
