/**
 * What was read from the storage, kept while the storage's version stays the same: never stale, whoever wrote.
 *
 * `refresh` runs once at the start of every request and empties the cache if anything was committed. Whatever is found
 * later in that request was therefore true at some moment after the request arrived, which is all a reader can ask.
 */
export interface VersionedCache {
  refresh(): void
  /** A part of the cache for one kind of value, which forgets everything when its values together grow beyond `bound`. */
  section<Value>(bound: number, weigh: (value: Value) => number): CacheSection<Value>
}

export interface CacheSection<Value> {
  get(key: string): Value | undefined
  /** Call before reading. The function it returns keeps what was read, unless something was committed meanwhile. */
  reading(): (key: string, value: Value) => void
}

export function versionedCache(ask: () => number): VersionedCache {
  let current = version()
  const sections: { clear(): void }[] = []

  // A storage that cannot tell its version has none: NaN is not even the same as itself, so nothing is kept or found.
  function version(): number {
    try {
      return ask()
    } catch {
      return Number.NaN
    }
  }

  return {
    refresh() {
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
          const before = version()
          return (key, value) => {
            if (before !== current || values.has(key)) return
            weight += weigh(value)
            if (weight > bound) clear()
            else values.set(key, value)
          }
        },
      }
    },
  }
}
