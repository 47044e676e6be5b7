import {
  type Lineage,
  type LineageRow,
  lineageSql,
  openLineage,
  type PageRead,
  type Verdict,
} from '../shared/lineage.ts'
import { counter } from './counters.ts'
import type { Result, Session, Statement } from './database.ts'

/** A source of one row with the highest ids that were given. */
export const counted = `(SELECT ${(['pets', 'orders', 'events'] as const)
  .map((name) => `(${counter(name)}) AS ${name}`)
  .join(', ')})`

/** What a server knows of its histories. The value is the name of one of them, or NULL. */
export const askLineage: Statement = { name: 'lineage', text: lineageSql(counted, '$1::text') }

/** What each connection leads to: the server behind it stays the same, and never has a history less. */
const lineages = new WeakMap<Session, Lineage>()

/** Judges a page that was read on this connection before. Nearly always without asking the server. */
export async function judgePage(session: Session, read: PageRead): Promise<Verdict> {
  const lineage = lineages.get(session) ?? openLineage()
  lineages.set(session, lineage)
  return lineage.recall(read) ?? lineage.learn(read, toRow(await session.run(askLineage, [read.after.history ?? null])))
}

/** Judges a page by what its own transaction was told. */
export function judgeBy(read: PageRead, result: Result): Verdict {
  return openLineage().learn(read, toRow(result))
}

function toRow({ rows }: Result): LineageRow {
  return rows[0] as LineageRow
}
