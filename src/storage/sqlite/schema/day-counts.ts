import type { DatabaseSync } from 'node:sqlite'
import { countedAs, dayCounts, type DayCount, dayOf } from '../../../inventory/days.ts'

/** Counts what happens on each day: every writer of events calls it. As with `PetCounts`, once per transaction. */
export interface DayCounts {
  /** Counts events of a type at a time. */
  add(type: string, at: number, events?: number): void
  flush(): void
  discard(): void
}

// A number is bound as a double, and a sum with a double is rounded above 2^53.
const parameters = dayCounts.map(() => 'CAST(? AS INTEGER)').join(', ')
const addExcluded = dayCounts.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')

export function prepareDayCounts(db: DatabaseSync): DayCounts {
  const count = db.prepare(`INSERT INTO day_counts VALUES (?, ${parameters}) ON CONFLICT DO UPDATE SET ${addExcluded}`)
  const days = new Map<number, Record<DayCount, number>>()

  return {
    add(type, at, events = 1) {
      const name = (countedAs as Record<string, DayCount | undefined>)[type]
      if (name === undefined) return
      const day = dayOf(at)
      let counts = days.get(day)
      if (counts === undefined) days.set(day, (counts = zero()))
      counts[name] += events
    },
    flush() {
      for (const [day, counts] of days) count.run(day, ...dayCounts.map((name) => counts[name]))
      days.clear()
    },
    discard: () => days.clear(),
  }
}

function zero(): Record<DayCount, number> {
  return { added: 0, removed: 0, ordered: 0, completed: 0, cancelled: 0 }
}
