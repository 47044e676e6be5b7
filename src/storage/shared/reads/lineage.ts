import type { Position } from '../../../contract/position.ts'

/** The kinds of rows with their own ids. */
export type Counted = 'pets' | 'orders' | 'events'
type Ids = Record<Counted, bigint>

/** The newest history, the highest ids, and the name and last ids of the requested history, all from one moment. */
export type LineageRow = [
  newest: string | null,
  lastPet: bigint,
  lastOrder: bigint,
  lastEvent: bigint,
  /** NULL if there is no such history. */
  requested: string | null,
  /** NULL for the current history. */
  endPet: bigint | null,
  endOrder: bigint | null,
  endEvent: bigint | null,
]

/** A page that was read: its start, and the id of its last item if a position is needed for it. */
export interface PageRead {
  kind: Counted
  after: Position
  last: bigint | undefined
  /** Whether `history` must be the newest one, not only one that contains `last`. Then the server is asked. */
  needsNewest?: boolean
}

export interface Verdict {
  /** Whether `after` belongs to a history that this database does not have. */
  isLost: boolean
  /** The history for a position of the last item. */
  history: string | undefined
}

/**
 * A cache of the histories of one server. It stays right when outdated: histories are only added, and end only above
 * ids assigned before. So the server is asked again only for a new id or history.
 */
export interface Lineage {
  /** Undefined if the server must be asked for the history of `after`. */
  recall(read: PageRead): Verdict | undefined
  learn(read: PageRead, row: LineageRow): Verdict
}

const maxEnds = 1_000

export function openLineage(): Lineage {
  let newest: string | undefined
  let highest: Ids | undefined
  const ends = new Map<string, Ids>()

  /** Undefined if the server must be asked. */
  function holds(kind: Counted, { id, history }: Position): boolean | undefined {
    if (history === undefined && id <= 0n) return true
    const end = history === undefined || history === newest ? undefined : ends.get(history)
    if (end !== undefined) return id <= end[kind]
    if (history !== undefined && history !== newest) return undefined
    return highest !== undefined && id <= highest[kind] ? true : undefined
  }

  function judge({ kind, after, last }: PageRead): Verdict | undefined {
    const isHeld = holds(kind, after)
    if (isHeld === undefined) return undefined
    if (!isHeld || last === undefined) return { isLost: !isHeld, history: undefined }
    return highest !== undefined && last <= highest[kind] ? { isLost: false, history: newest } : undefined
  }

  return {
    recall: (read) => (read.needsNewest ? undefined : judge(read)),
    learn(read, [newestNow, pets, orders, events, requested, endPet, endOrder, endEvent]) {
      newest = newestNow ?? undefined
      highest = { pets, orders, events }
      if (requested !== null && endPet !== null && endOrder !== null && endEvent !== null) {
        if (ends.size >= maxEnds) ends.clear()
        ends.set(requested, { pets: endPet, orders: endOrder, events: endEvent })
      }
      // A history that is still unknown does not belong to this server.
      return judge(read) ?? { isLost: true, history: undefined }
    },
  }
}

/**
 * `counters` is a source of rows with `pets`, `orders` and `events`; `history` is the placeholder of the requested
 * name.
 */
export function lineageSql(counters: string, history: string): string {
  return `
    SELECT (SELECT id FROM histories ORDER BY number DESC LIMIT 1), pets, orders, events, requested.id,
        following.pets_before, following.orders_before, following.events_before
      FROM ${counters} AS counted LEFT JOIN histories AS requested ON requested.id = ${history}
        LEFT JOIN histories AS following ON following.number = requested.number + 1`
}
