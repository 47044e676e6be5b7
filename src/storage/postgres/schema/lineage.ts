import {
  type Lineage,
  type LineageRow,
  lineageSql,
  openLineage,
  type PageRead,
  type Verdict,
} from '../../shared/reads/lineage.ts'
import { counter } from './counters.ts'
import type { Result, Session, Statement } from '../connection/database.ts'

/** A source of one row with the highest assigned ids. */
export const counted = `(SELECT ${(['pets', 'orders', 'events'] as const)
  .map((name) => `(${counter(name)}) AS ${name}`)
  .join(', ')})`

/** Asks a server for its histories. The value is the name of one history, or NULL. */
export const askLineage: Statement = { name: 'lineage', text: lineageSql(counted, '$1::text') }

/** A cache per connection: the server behind it stays the same and never loses a history. */
const lineages = new WeakMap<Session, Lineage>()

/** Judges the position of a page that was just read on this connection, usually without a query. */
export async function judgePage(session: Session, read: PageRead): Promise<Verdict> {
  const lineage = lineages.get(session) ?? openLineage()
  lineages.set(session, lineage)
  return lineage.recall(read) ?? lineage.learn(read, toRow(await session.run(askLineage, [read.after.history ?? null])))
}

/** Judges a page by the histories that its own transaction read. */
export function judgeBy(read: PageRead, result: Result): Verdict {
  return openLineage().learn(read, toRow(result))
}

function toRow({ rows }: Result): LineageRow {
  return rows[0] as LineageRow
}
