import {
  type LineageCache,
  type LineageRow,
  lineageSql,
  openLineageCache,
  type PageRead,
  type PositionCheck,
} from '../../shared/reads/lineage.ts'
import { counter } from './counters.ts'
import type { Session } from '../connection/database.ts'
import type { Result, Statement } from '../connection/statement.ts'

/** Asks a server for its lineages. The value is the name of one lineage, or NULL. */
export const askLineage: Statement = { name: 'lineage', text: lineageSql(`(${counter('events')})`, '$1::text') }

/** A cache per connection: the server behind it stays the same and never loses a lineage. */
const caches = new WeakMap<Session, LineageCache>()

/** Checks the position of a page of events that was just read on this connection, usually without a query. */
export async function checkPosition(session: Session, read: PageRead): Promise<PositionCheck> {
  const cache = caches.get(session) ?? openLineageCache()
  caches.set(session, cache)
  return cache.recall(read) ?? cache.learn(read, toRow(await session.run(askLineage, [read.after.lineage ?? null])))
}

/** Checks a position by the lineages that its own transaction read. */
export function checkPositionBy(read: PageRead, result: Result): PositionCheck {
  return openLineageCache().learn(read, toRow(result))
}

function toRow({ rows }: Result): LineageRow {
  return rows[0] as LineageRow
}
