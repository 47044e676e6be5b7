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
}

export interface JudgedPage {
  rows: unknown[][]
  verdict: Verdict
}

/** How reads are run on a connection. */
export interface Reading {
  run(session: Session, statement: Statement, values: readonly unknown[]): Promise<Result>
  readPage(session: Session, query: PageQuery): Promise<JudgedPage>
}

/** On a connection that keeps its session each statement is separate: the server and its role stay the same. */
export const onSession: Reading = {
  run: (session, statement, values) => session.run(statement, values),
  async readPage(session, { statement, values, lastOf, ...read }) {
    const { rows } = await session.run(statement, values)
    return { rows, verdict: await judgePage(session, { ...read, last: lastOf(rows) }) }
  },
}

// A standby refuses BEGIN READ WRITE.
const begins = {
  primary: { text: 'BEGIN READ WRITE; SET LOCAL jit = off' },
  replica: { text: 'BEGIN READ ONLY; SET LOCAL jit = off' },
}
const commit: Statement = { text: 'COMMIT' }

/**
 * Behind a pooler each transaction may reach another server. So each verifies that it reached a primary, if required,
 * and reads the histories together with the page.
 */
export function inTransactions({ role }: Server): Reading {
  async function runAll(session: Session, statements: [Statement, readonly unknown[]][]): Promise<Result[]> {
    const answers = await Promise.allSettled(
      session.together(() => [
        session.run(begins[role]),
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

  return {
    run: async (session, statement, values) => (await runAll(session, [[statement, values]]))[0] as Result,
    async readPage(session, { statement, values, lastOf, ...read }) {
      const [page, lineage] = (await runAll(session, [
        [statement, values],
        [askLineage, [read.after.history ?? null]],
      ])) as [Result, Result]
      return { rows: page.rows, verdict: judgeBy({ ...read, last: lastOf(page.rows) }, lineage) }
    },
  }
}
