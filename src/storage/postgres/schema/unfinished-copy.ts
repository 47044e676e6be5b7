import { copyUnfinished } from '../../shared/refusals.ts'
import type { Session } from '../connection/database.ts'
import type { Statement } from '../connection/statement.ts'

// A table that exists only while a copy into the database is unfinished. Its row identifies the source.

const tableExists: Statement = { text: "SELECT to_regclass('unfinished_copy') IS NOT NULL" }
const find: Statement = { text: 'SELECT source FROM unfinished_copy' }
const make: Statement = { text: 'CREATE TABLE unfinished_copy (source text NOT NULL)' }
const remember: Statement = { text: 'INSERT INTO unfinished_copy VALUES ($1)' }
const forget: Statement = { text: 'DROP TABLE unfinished_copy' }

export async function unfinishedCopy({ run }: Session): Promise<string | undefined> {
  const { rows } = await run(tableExists)
  if (!(rows[0] as [boolean])[0]) return undefined
  return ((await run(find)).rows[0] as [string])[0]
}

export async function refuseUnfinishedCopy(session: Session, shown: string): Promise<void> {
  if ((await unfinishedCopy(session)) !== undefined) throw copyUnfinished(shown)
}

/** Runs inside a transaction. */
export async function rememberCopy({ run }: Session, source: string): Promise<void> {
  await run(make)
  await run(remember, [source])
}

export async function forgetCopy({ run }: Session): Promise<void> {
  await run(forget)
}
