/**
 * Caches reads of the storage while its version stays the same, so an entry is never stale.
 * `refresh` runs before the requests that have arrived are answered, and voids all entries after a commit. So anything
 * found later in such a request was true at some moment after the request was sent.
 */
export interface VersionedCache {
  /** Voids all entries after a commit. */
  refresh(): void
  /** Whether the storage has versions, so that anything can be cached. */
  isOn(): boolean
  /** A part of the cache for one kind of value. It is emptied when the total weight exceeds `maxWeight`. */
  section<Value>(name: CacheName, maxWeight: number, weigh: (value: Value) => number): CacheSection<Value>
  /** How often a value was found, and how often not. */
  stats(): { name: CacheName; hits: number; misses: number }[]
}

export type CacheName = 'keys' | 'pages' | 'responses'

export interface CacheSection<Value> {
  get(key: string): Value | undefined
  /** Call it before a read. The returned function caches the result, unless there was a commit meanwhile. */
  reading(): (key: string, value: Value) => void
}

export function versionedCache(ask: () => number): VersionedCache {
  let current = version()
  /** Counts the changes of the version. */
  let generation = 0
  const counts = new Map<CacheName, { hits: number; misses: number }>()

  // The version of a storage without versions is NaN, which never equals itself, so nothing is cached or found.
  function version(): number {
    try {
      return ask()
    } catch {
      return Number.NaN
    }
  }

  return {
    isOn: () => !Number.isNaN(current),

    refresh() {
      const now = version()
      if (now !== current) generation++
      current = now
    },

    stats: () => [...counts].map(([name, count]) => ({ name, ...count })),

    section<Value>(name: CacheName, maxWeight: number, weigh: (value: Value) => number): CacheSection<Value> {
      const values = new Map<string, Value>()
      const count = counts.get(name) ?? { hits: 0, misses: 0 }
      counts.set(name, count)
      let weight = 0
      let filledIn = generation
      function clear(): void {
        values.clear()
        weight = 0
        filledIn = generation
      }

      // Each section compares by itself. The cache has no list of them: it would hold those of shops that are gone.
      return {
        get(key) {
          if (Number.isNaN(current)) return undefined
          if (filledIn !== generation) clear()
          const value = values.get(key)
          if (value === undefined) count.misses++
          else count.hits++
          return value
        },
        reading() {
          // A read from now on is at least as new as this version.
          const before = generation
          return (key, value) => {
            if (before !== generation || Number.isNaN(current)) return
            if (filledIn !== generation) clear()
            if (values.has(key)) return
            weight += weigh(value)
            if (weight > maxWeight) clear()
            else values.set(key, value)
          }
        },
      }
    },
  }
}
