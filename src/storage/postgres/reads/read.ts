import type { PageRead, Verdict } from '../../shared/reads/lineage.ts'
import type { Result, Session, Statement } from '../connection/database.ts'
import { codeOf, ConnectionLost, IsStandby } from '../connection/errors.ts'
import { askLineage, judgeBy, judgePage } from '../schema/lineage.ts'
import type { Server } from '../connection/server.ts'

/** A page of a list ordered by id. */
export interface PageQuery extends Omit<PageRead, 'last'> {
  statement: Statement
  values: readonly unknown[]
  lastOf: (rows: unknown[][]) => PageRead['last']
  /** The server may take so long at most. */
  timeoutMs?: number
}

export interface JudgedPage {
  rows: unknown[][]
  verdict: Verdict
  /** The server took longer than `timeoutMs`: there are no rows and no verdict. */
  isTimedOut?: true
}

/** How reads are run on a connection. */
export interface Reading {
  run(session: Session, statement: Statement, values: readonly unknown[]): Promise<Result>
  readPage(session: Session, query: PageQuery): Promise<JudgedPage>
}

// A standby refuses BEGIN READ WRITE.
const begins = {
  primary: { text: 'BEGIN READ WRITE; SET LOCAL jit = off' },
  replica: { text: 'BEGIN READ ONLY; SET LOCAL jit = off' },
}
const commit: Statement = { text: 'COMMIT' }

type Bound = readonly [Statement, readonly unknown[]]

/** Runs statements in one transaction, sent together, so that nothing else gets into it. */
async function runTransaction(session: Session, begin: Statement, statements: readonly Bound[]): Promise<Result[]> {
  const answers = await Promise.allSettled(
    session.together(() => [
      session.run(begin),
      ...statements.map(([statement, values]) => session.run(statement, values)),
      session.run(commit),
    ]),
  )
  return answers
    .map((answer, place) => {
      if (answer.status === 'fulfilled') return answer.value
      if (place > 0 || codeOf(answer.reason) !== '0A000') throw answer.reason
      throw new ConnectionLost('The server is not the primary.', { cause: new IsStandby() })
    })
    .slice(1, -1)
}

/** Adds the timeout of a page to the statements of its transaction. */
function withTimeout(timeoutMs: number | undefined): Bound[] {
  return timeoutMs === undefined ? [] : [[{ text: `SET LOCAL statement_timeout = ${timeoutMs}` }, []]]
}

/** The page, or what stands for it if the server has cancelled it (57014) because of its timeout. */
async function unlessTimedOut(timeoutMs: number | undefined, page: Promise<JudgedPage>): Promise<JudgedPage> {
  try {
    return await page
  } catch (error) {
    if (timeoutMs === undefined || codeOf(error) !== '57014') throw error
    return { rows: [], verdict: { isLost: false, history: undefined }, isTimedOut: true }
  }
}

/** On a connection that keeps its session each statement is separate: the server and its role stay the same. */
export const onSession: Reading = {
  run: (session, statement, values) => session.run(statement, values),
  readPage(session, { statement, values, lastOf, timeoutMs, ...read }) {
    const run = async (): Promise<Result> => {
      if (timeoutMs === undefined) return session.run(statement, values)
      const statements: Bound[] = [...withTimeout(timeoutMs), [statement, values]]
      return (await runTransaction(session, begins.replica, statements)).at(-1) as Result
    }
    const readAndJudge = async (): Promise<JudgedPage> => {
      const { rows } = await run()
      return { rows, verdict: await judgePage(session, { ...read, last: lastOf(rows) }) }
    }
    return unlessTimedOut(timeoutMs, readAndJudge())
  },
}

/**
 * Behind a pooler each transaction may reach another server. So each verifies that it reached a primary, if required,
 * and reads the histories together with the page.
 */
export function inTransactions({ role }: Server): Reading {
  const begin = begins[role]
  return {
    run: async (session, statement, values) =>
      (await runTransaction(session, begin, [[statement, values]]))[0] as Result,
    readPage(session, { statement, values, lastOf, timeoutMs, ...read }) {
      const readAndJudge = async (): Promise<JudgedPage> => {
        const results = await runTransaction(session, begin, [
          ...withTimeout(timeoutMs),
          [statement, values],
          [askLineage, [read.after.history ?? null]],
        ])
        const [page, lineage] = results.slice(-2) as [Result, Result]
        return { rows: page.rows, verdict: judgeBy({ ...read, last: lastOf(page.rows) }, lineage) }
      }
      return unlessTimedOut(timeoutMs, readAndJudge())
    },
  }
}
