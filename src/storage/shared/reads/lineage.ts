import type { Position } from '../../../contract/position.ts'

/** The newest lineage, the highest event id, and the name and last event of the requested lineage, all from one moment. */
export type LineageRow = [
  newest: string | null,
  lastEvent: bigint,
  /** NULL if there is no such lineage. */
  requested: string | null,
  /** NULL for the current lineage. */
  endEvent: bigint | null,
]

/** A page of events that was read: its start, and the id of its last item if a position is needed for it. */
export interface PageRead {
  after: Position
  last: bigint | undefined
  /** Whether the lineage must be the newest one, not only one that contains `last`. Then the server is asked. */
  needsNewest?: boolean
}

export interface PositionCheck {
  /** Whether `after` belongs to a lineage that this database does not have. */
  isLost: boolean
  /** The lineage for a position of the last item. */
  lineage: string | undefined
}

/**
 * A cache of the lineages of one server. It stays right when outdated: lineages are only added, and end only above ids
 * assigned before. So the server is asked again only for a new id or lineage.
 */
export interface LineageCache {
  /** Undefined if the server must be asked for the lineage of `after`. */
  recall(read: PageRead): PositionCheck | undefined
  learn(read: PageRead, row: LineageRow): PositionCheck
}

const maxEnds = 1_000

export function openLineageCache(): LineageCache {
  let newest: string | undefined
  let highest: bigint | undefined
  const ends = new Map<string, bigint>()

  /** Undefined if the server must be asked. */
  function holds({ id, lineage }: Position): boolean | undefined {
    if (lineage === undefined && id <= 0n) return true
    const end = lineage === undefined || lineage === newest ? undefined : ends.get(lineage)
    if (end !== undefined) return id <= end
    if (lineage !== undefined && lineage !== newest) return undefined
    return highest !== undefined && id <= highest ? true : undefined
  }

  function checkPosition({ after, last }: PageRead): PositionCheck | undefined {
    const isHeld = holds(after)
    if (isHeld === undefined) return undefined
    if (!isHeld || last === undefined) return { isLost: !isHeld, lineage: undefined }
    return highest !== undefined && last <= highest ? { isLost: false, lineage: newest } : undefined
  }

  return {
    recall: (read) => (read.needsNewest ? undefined : checkPosition(read)),
    learn(read, [newestNow, lastEvent, requested, endEvent]) {
      newest = newestNow ?? undefined
      highest = lastEvent
      if (requested !== null && endEvent !== null) {
        if (ends.size >= maxEnds) ends.clear()
        ends.set(requested, endEvent)
      }
      // A lineage that is still unknown does not belong to this server.
      return checkPosition(read) ?? { isLost: true, lineage: undefined }
    },
  }
}

/** A condition: this database has the event `id` of a lineage, or none is given. All are SQL, as for `lineageSql`. */
export function hasEventSql(lastEvent: string, lineage: string, id: string): string {
  return `(${lineage} IS NULL OR ${id} <= (
    SELECT coalesce(following.events_before, ${lastEvent}) FROM lineages AS requested
      LEFT JOIN lineages AS following ON following.number = requested.number + 1 WHERE requested.id = ${lineage}))`
}

/** `lastEvent` is SQL for the highest event id; `lineage` is the placeholder of the requested name. */
export function lineageSql(lastEvent: string, lineage: string): string {
  return `
    SELECT (SELECT id FROM lineages ORDER BY number DESC LIMIT 1), counted.last, requested.id, following.events_before
      FROM (SELECT ${lastEvent} AS last) AS counted LEFT JOIN lineages AS requested ON requested.id = ${lineage}
        LEFT JOIN lineages AS following ON following.number = requested.number + 1`
}
