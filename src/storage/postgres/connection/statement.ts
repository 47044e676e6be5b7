import type { QueryArrayResult } from 'pg'

/** SQL, and the name of the prepared statement if it is prepared. */
export interface Statement {
  name?: string
  text: string
}

export type Result = QueryArrayResult

export type BoundStatement = readonly [statement: Statement, values?: readonly unknown[] | undefined]

/** Makes further statements of the results of the first ones. It must not throw. */
export type NextStatements = (results: readonly Result[]) => readonly BoundStatement[]
