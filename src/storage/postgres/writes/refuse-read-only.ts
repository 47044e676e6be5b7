import { StorageError } from '../../shared/errors.ts'
import { begin } from '../connection/begin.ts'
import type { Session } from '../connection/database.ts'
import type { Statement } from '../connection/statement.ts'
import { codeOf, explain } from '../connection/errors.ts'
import type { Server } from '../connection/server.ts'
import { expectedSchema } from '../schema/schema-objects.ts'
import { limits, rollback } from './transaction.ts'

const findWithoutGrants: Statement = {
  text: `
    SELECT relname FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relname = ANY ($1::text[])
        AND NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
          AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))
      ORDER BY relname`,
}
/** Refused by a server that takes no writes. It changes no row and locks none. */
const changeNothing: Statement = { text: 'UPDATE counters SET last = last WHERE false' }
/** Another session has locked the table: that says nothing about our rights. */
const lockTimeout = '55P03'

/** Refuses a migrated database that takes no writes from this user. The caller drops the session then. */
export async function refuseReadOnly({ run }: Session, server: Server): Promise<void> {
  try {
    const [first, ...others] = (await run(findWithoutGrants, [writtenTables()])).rows.flat() as string[]
    if (first !== undefined) throw lacksGrants(server, first, others.length)
    await run(begin)
    await run(limits)
    await run(changeNothing).catch((error: unknown) => {
      if (codeOf(error) !== lockTimeout) throw error
    })
    await run(rollback)
  } catch (error) {
    throw error instanceof StorageError ? error : explain(server, error)
  }
}

/** All but the one that only `petstore migrate` writes. */
function writtenTables(): string[] {
  const tables = expectedSchema().filter(({ kind }) => kind === 'table')
  return tables.map(({ name }) => name).filter((name) => name !== 'petstore_migrations')
}

function lacksGrants({ shown }: Server, table: string, others: number): StorageError {
  const tables = others === 0 ? table : `${table} and ${others} more`
  return new StorageError(
    `The database ${shown} cannot be written by this user, who lacks SELECT, INSERT, UPDATE or DELETE on ${tables}: ` +
      'docs/postgresql.md has the grants.',
  )
}
