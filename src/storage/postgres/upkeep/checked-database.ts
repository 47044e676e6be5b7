import type { Environment } from '../../../contract/environment.ts'
import { type CheckedDatabase, type Integrity, rowsByStatus } from '../../shared/checked-database.ts'
import { refuseOtherSchema } from '../../shared/refusals.ts'
import { refuseOtherEnvironment } from '../../shared/environment.ts'
import { StorageError } from '../../shared/errors.ts'
import { connectAtStart } from '../connection/connect.ts'
import type { Session } from '../connection/database.ts'
import type { Statement } from '../connection/statement.ts'
import { environmentOf } from '../schema/environment.ts'
import { codeOf, explain } from '../connection/errors.ts'
import { latestSchema, schemaNumber } from '../schema/migrate.ts'
import { readServer } from '../connection/server.ts'
import { refuseUnfinishedCopy } from '../schema/unfinished-copy.ts'
import { readByCursor } from './read-by-cursor.ts'
import { expectedSchema, schemaObjects } from '../schema/schema-objects.ts'
import { beginSnapshot } from './snapshot.ts'
import { findWrongWords } from './wrong-words.ts'

/** Plans for reading all rows of a cursor, not only the first ones. */
const planForAll: Statement = { text: 'SET LOCAL cursor_tuple_fraction = 1' }

/** Opens a database for a check, read-only. It must be ours, migrated and of this environment. */
export async function openChecked(url: string, environment: Environment): Promise<CheckedDatabase> {
  const server = readServer(url)
  const session = await connectAtStart(server)
  try {
    await session.run(beginSnapshot)
    await session.run(planForAll)
    refuseOtherSchema(server.shown, await schemaNumber(session), latestSchema())
    await refuseUnfinishedCopy(session, server.shown)
    refuseOtherEnvironment(server.shown, await environmentOf(session), environment)
  } catch (error) {
    await session.end()
    throw error instanceof StorageError ? error : explain(server, error)
  }
  return {
    integrity: () => checkIntegrity(session),
    schema: async () => ({ expected: expectedSchema(), found: await schemaObjects(session) }),
    query: (sql) => readByCursor(session, sql),
    counters: 'SELECT name, last FROM counters',
    categoryCounts: rowsByStatus('category_counts', 'category_id,'),
    totals: rowsByStatus('pet_totals'),
    wrongWords: () => findWrongWords(session),
    close: () => session.end(),
  }
}

const verifyTables = `
  SELECT tables.relname, found.msg FROM pg_class AS tables
    CROSS JOIN LATERAL verify_heapam(tables.oid) AS found
    WHERE tables.relkind = 'r' AND tables.relnamespace = current_schema()::regnamespace`

const indexes = `
  SELECT indexes.oid::int8, indexes.relname FROM pg_index
    JOIN pg_class AS indexes ON indexes.oid = indexrelid
    JOIN pg_am ON pg_am.oid = indexes.relam
    WHERE amname = 'btree' AND indisvalid AND indexes.relnamespace = current_schema()::regnamespace
    ORDER BY indexes.relname`

/** Uses the extension amcheck if the database has it and this role may use it. */
async function checkIntegrity(session: Session): Promise<Integrity> {
  const { rows } = await session.run({ text: "SELECT 1 FROM pg_extension WHERE extname = 'amcheck'" })
  if (rows.length === 0) {
    return { skipped: 'The extension amcheck is not installed (CREATE EXTENSION amcheck): files were not verified.' }
  }
  const found: string[] = []
  try {
    for await (const [table, message] of readByCursor(session, verifyTables)) found.push(`Table ${table}: ${message}.`)
    const all = await Array.fromAsync(readByCursor(session, indexes))
    for (const [index, name] of all) {
      const message = await failureOf(session, `SELECT bt_index_check(${index}::oid::regclass, true)`)
      if (message !== undefined) found.push(`Index ${name}: ${message}.`)
    }
  } catch (error) {
    if (codeOf(error) !== '42501') throw error
    return { skipped: 'This role may not use the extension amcheck: the files were not verified.' }
  }
  return { found }
}

async function failureOf(session: Session, sql: string): Promise<string | undefined> {
  try {
    await Array.fromAsync(readByCursor(session, sql))
    return undefined
  } catch (error) {
    if (codeOf(error) === '42501') throw error
    return (error as Error).message
  }
}
