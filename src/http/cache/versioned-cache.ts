import { performance } from 'node:perf_hooks'

/**
 * What was read from the storage, kept while the storage's version stays the same: never stale, whoever wrote.
 *
 * `refresh` runs at the start of every request and empties the cache if anything was committed. Whatever is found later
 * in that request was therefore true at some moment after the request was sent, which is all a reader can ask.
 */
export interface VersionedCache {
  /** Empties the cache if anything was committed. Requests that arrived together share one look at the storage. */
  refresh(): void
  /** The next request was perhaps sent after the storage was last asked: `refresh` asks again. */
  expire(): void
  /** A part of the cache for one kind of value, which forgets everything when its values together weigh over `maxWeight`. */
  section<Value>(maxWeight: number, weigh: (value: Value) => number): CacheSection<Value>
}

export interface CacheSection<Value> {
  get(key: string): Value | undefined
  /** Call before reading. The function it returns keeps what was read, unless something was committed meanwhile. */
  reading(): (key: string, value: Value) => void
}

/**
 * Numbers the batches of events that the event loop takes from the system. Requests of one batch, on different
 * connections, had all begun to arrive before the first of them was read: what was true then is new enough for each. A turn
 * of the event loop is no such batch: after 1,024 events libuv polls again within the same turn.
 */
export function eventBatch(): number {
  // The first grows before every turn's poll, the second after every batch.
  const { loopCount, events } = performance.nodeTiming.uvMetricsInfo
  return loopCount + events
}

export function versionedCache(ask: () => number, batch: () => number = eventBatch): VersionedCache {
  let current = version()
  /** The batch for which the storage was last asked. */
  let askedFor: number | undefined
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
    expire() {
      askedFor = undefined
    },

    refresh() {
      const arrivedIn = batch()
      if (arrivedIn === askedFor) return
      askedFor = arrivedIn
      const now = version()
      if (now === current) return
      current = now
      for (const section of sections) section.clear()
    },

    section<Value>(maxWeight: number, weigh: (value: Value) => number): CacheSection<Value> {
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
          // What is read from now on is at least as new as this version.
          const before = current
          return (key, value) => {
            if (before !== current || values.has(key)) return
            weight += weigh(value)
            if (weight > maxWeight) clear()
            else values.set(key, value)
          }
        },
      }
    },
  }
}
