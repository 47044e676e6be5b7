import type { Position } from '../../contract/position.ts'

/** What ids are counted for, each on its own. */
export type Counted = 'pets' | 'orders' | 'events'
type Ids = Record<Counted, bigint>

/** The newest history, the highest ids, and of the history that was asked for its name and its last ids; all at one moment. */
export type LineageRow = [
  newest: string | null,
  lastPet: bigint,
  lastOrder: bigint,
  lastEvent: bigint,
  /** NULL when there is no such history. */
  asked: string | null,
  /** NULL while the history goes on. */
  endPet: bigint | null,
  endOrder: bigint | null,
  endEvent: bigint | null,
]

/** A page that was read: what it was to go on from, and the id of its last item where a position is to be made of it. */
export interface PageRead {
  kind: Counted
  after: Position
  last: bigint | undefined
  /** Whether `history` has to be the newest there is, and not only one that holds `last`: then the server is asked. */
  needsNewest?: boolean
}

export interface Verdict {
  /** Whether `after` is of another history than the database's own. */
  isLost: boolean
  /** What belongs to the id of the last item, to make a position of it. */
  history: string | undefined
}

/**
 * What is known of the histories of one server. It may be out of date and is right all the same: histories are only added,
 * and end only beyond the ids that were given before. So the server is asked again only for an id or a history that is new.
 */
export interface Lineage {
  /** Undefined when the server has to be asked for the history of `after`. */
  recall(read: PageRead): Verdict | undefined
  learn(read: PageRead, row: LineageRow): Verdict
}

const mostEnds = 1_000

export function openLineage(): Lineage {
  let newest: string | undefined
  let given: Ids | undefined
  const ends = new Map<string, Ids>()

  /** Undefined when it takes asking. */
  function holds(kind: Counted, { id, history }: Position): boolean | undefined {
    if (history === undefined && id <= 0n) return true
    const end = history === undefined || history === newest ? undefined : ends.get(history)
    if (end !== undefined) return id <= end[kind]
    if (history !== undefined && history !== newest) return undefined
    return given !== undefined && id <= given[kind] ? true : undefined
  }

  function judge({ kind, after, last }: PageRead): Verdict | undefined {
    const isHeld = holds(kind, after)
    if (isHeld === undefined) return undefined
    if (!isHeld || last === undefined) return { isLost: !isHeld, history: undefined }
    return given !== undefined && last <= given[kind] ? { isLost: false, history: newest } : undefined
  }

  return {
    recall: (read) => (read.needsNewest ? undefined : judge(read)),
    learn(read, [newestNow, pets, orders, events, asked, endPet, endOrder, endEvent]) {
      newest = newestNow ?? undefined
      given = { pets, orders, events }
      if (asked !== null && endPet !== null && endOrder !== null && endEvent !== null) {
        if (ends.size >= mostEnds) ends.clear()
        ends.set(asked, { pets: endPet, orders: endOrder, events: endEvent })
      }
      // What is not known by now is not of this server.
      return judge(read) ?? { isLost: true, history: undefined }
    },
  }
}

/** `counters` is a source of rows with `pets`, `orders` and `events`; `history` is the placeholder of the name asked for. */
export function lineageSql(counters: string, history: string): string {
  return `
    SELECT (SELECT id FROM histories ORDER BY number DESC LIMIT 1), pets, orders, events, asked.id,
        following.pets_before, following.orders_before, following.events_before
      FROM ${counters} AS counted LEFT JOIN histories AS asked ON asked.id = ${history}
        LEFT JOIN histories AS following ON following.number = asked.number + 1`
}
