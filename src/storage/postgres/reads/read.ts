import type { Caller } from '../../../inventory/caller.ts'
import type { CountedTable } from '../../../inventory/tables.ts'
import type { PageRead, PositionCheck } from '../../shared/reads/lineage.ts'
import { begin } from '../connection/begin.ts'
import type { Session } from '../connection/database.ts'
import type { Result, Statement } from '../connection/statement.ts'
import { codeOf, ConnectionLost, IsStandby } from '../connection/errors.ts'
import { counter } from '../schema/counters.ts'
import { askLineage, checkPosition, checkPositionBy } from '../schema/lineage.ts'
import type { Server } from '../connection/server.ts'
import { neededSettings, type Settings, setSql } from '../connection/settings.ts'

/** A page of a list of resources with counted ids. */
export interface PageQuery {
  statement: Statement
  values: readonly unknown[]
  /** The counter of their ids, and the id that the page starts after. A replica may not have replayed it yet. */
  kind: CountedTable
  after: bigint
  /** The server may take so long at most. */
  timeoutMs?: number
}

export interface PageRows {
  rows: unknown[][]
  /** The server took longer than `timeoutMs`: there are no rows. */
  isTimedOut?: true
  /** The replica has not replayed the id that the page starts after. */
  isBehind?: boolean
}

/** A page of events. */
export interface EventQuery extends Omit<PageRead, 'last'> {
  statement: Statement
  values: readonly unknown[]
  lastOf: (rows: unknown[][]) => PageRead['last']
}

export interface CheckedRows {
  rows: unknown[][]
  position: PositionCheck
}

/** How an engine reads. */
export interface Reads {
  /** One round trip. Temporary failures are `unavailable`; other errors are bugs and are rethrown. */
  read(statement: Statement, values?: readonly unknown[]): Promise<Result>
  /** Counts a read as pending while it runs, and refuses it above the maximum. `read` does this itself. */
  countPending<Answer>(ask: () => Promise<Answer>): Promise<Answer>
  /** Reads for a caller that is counted already. */
  readUncounted(statement: Statement, values: readonly unknown[]): Promise<Result>
  /** Reads a page for a caller that is counted already. */
  readPage(query: PageQuery): Promise<PageRows>
  /**
   * Lets `read` read one committed state in several statements, also if others write meanwhile. Only a few states are
   * held at a time: callers take turns. `read` may be called again, if a connection or a replica fails. For a caller that
   * is counted already. `isNext`: before other reads of the same caller.
   */
  hold<Read>(read: (state: StateReads) => Promise<Read>, caller?: Caller, isNext?: boolean): Promise<Read>
}

export interface EventReads extends Reads {
  /** Reads a page of events for a caller that is counted already, and checks its position on the same server. */
  readEvents(query: EventQuery): Promise<CheckedRows>
}

/** Reads of one state. */
export type StateReads = EventReads

/** How reads are run on a connection. */
export interface Reading {
  run(session: Session, statement: Statement, values: readonly unknown[]): Promise<Result>
  readPage(session: Session, query: PageQuery): Promise<PageRows>
  readEvents(session: Session, query: EventQuery): Promise<CheckedRows>
}

/** Of the server, for every statement that reads. */
export const readStatementTimeout = '1500ms'
export const readSettings: Settings = { ...neededSettings, statement_timeout: readStatementTimeout }
const beginReading: Statement = { text: 'BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY' }
/** Behind a pooler. A standby refuses to begin as the primary does. */
const begins = {
  primary: { text: `${begin.text}; SET TRANSACTION READ ONLY; ${setSql(readSettings, 'transaction')}` },
  replica: { text: `${beginReading.text}; ${setSql(readSettings, 'transaction')}` },
}
export const commit: Statement = { text: 'COMMIT' }

export type Bound = readonly [Statement, readonly unknown[]]

/** Runs statements in one transaction, sent together, so that nothing else gets into it. */
async function runTransaction(session: Session, begin: Statement, statements: readonly Bound[]): Promise<Result[]> {
  const results = await Promise.allSettled(
    session.corked(() => [
      session.run(begin),
      ...statements.map(([statement, values]) => session.run(statement, values)),
      session.run(commit),
    ]),
  )
  return results
    .map((result, index) => {
      if (result.status === 'fulfilled') return result.value
      throw index > 0 ? result.reason : beginFailure(result.reason)
    })
    .slice(1, -1)
}

/** Why a transaction has not begun. */
export function beginFailure(error: unknown): unknown {
  if (codeOf(error) !== '0A000') return error
  return new ConnectionLost('The server is not the primary.', { cause: new IsStandby() })
}

/** The statements of a page. A replica is first asked for the highest id that it has, so that this is not too new. */
export function statementsOf({ statement, values, kind, after, timeoutMs }: PageQuery, role: Server['role']): Bound[] {
  const highest: Bound[] = role === 'primary' || after <= 0n ? [] : [[{ text: counter(kind) }, []]]
  const timeout: Bound[] = timeoutMs === undefined ? [] : [[{ text: `SET LOCAL statement_timeout = ${timeoutMs}` }, []]]
  return [...highest, ...timeout, [statement, values]]
}

/** Reads a page with these statements. The server cancels it (57014) if it takes longer than its timeout. */
export async function toRows(query: PageQuery, role: Server['role'], reading: Promise<Result[]>): Promise<PageRows> {
  try {
    const results = await reading
    const { rows } = results.at(-1) as Result
    if (role === 'primary' || query.after <= 0n) return { rows }
    const [[highest]] = (results[0] as Result).rows as [[bigint]]
    return { rows, isBehind: highest < query.after }
  } catch (error) {
    if (query.timeoutMs === undefined || codeOf(error) !== '57014') throw error
    return { rows: [], isTimedOut: true }
  }
}

/** On a connection that keeps its session each statement is separate: the server and its role stay the same. */
export function onSession({ role }: Server): Reading {
  return {
    run: (session, statement, values) => session.run(statement, values),
    readPage(session, query) {
      const statements = statementsOf(query, role)
      if (query.timeoutMs !== undefined) return toRows(query, role, runTransaction(session, beginReading, statements))
      const results = session.corked(() => statements.map(([statement, values]) => session.run(statement, values)))
      return toRows(query, role, Promise.all(results))
    },
    async readEvents(session, { statement, values, lastOf, ...read }) {
      const { rows } = await session.run(statement, values)
      return { rows, position: await checkPosition(session, { ...read, last: lastOf(rows) }) }
    },
  }
}

/**
 * Behind a pooler each transaction may reach another server. So each verifies that it reached a primary, if required,
 * and reads the lineages together with a page of events.
 */
export function inTransactions({ role }: Server): Reading {
  const beginAs = begins[role]
  return {
    run: async (session, statement, values) =>
      (await runTransaction(session, beginAs, [[statement, values]]))[0] as Result,
    readPage: (session, query) => toRows(query, role, runTransaction(session, beginAs, statementsOf(query, role))),
    async readEvents(session, { statement, values, lastOf, ...read }) {
      const lineage: Bound = [askLineage, [read.after.lineage ?? null]]
      const results = await runTransaction(session, beginAs, [[statement, values], lineage])
      const [page, lineages] = results as [Result, Result]
      return { rows: page.rows, position: checkPositionBy({ ...read, last: lastOf(page.rows) }, lineages) }
    },
  }
}
