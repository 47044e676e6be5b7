import type { Inspection } from '../../shared/inspection.ts'
import { unattendedSql } from '../../shared/rows/delivery-row.ts'
import { StorageError } from '../../shared/errors.ts'
import { connectAtStart } from '../connection/connect.ts'
import type { Session } from '../connection/database.ts'
import type { Statement } from '../connection/statement.ts'
import { environmentOf } from '../schema/environment.ts'
import { codeOf, explain } from '../connection/errors.ts'
import { latestSchema, schemaNumber } from '../schema/migrate.ts'
import { newerParts } from '../schema/schema-objects.ts'
import { readServer, type Server } from '../connection/server.ts'
import { unfinishedCopy } from '../schema/unfinished-copy.ts'
import { refuseReadOnly } from '../writes/refuse-read-only.ts'

/** docs/postgresql.md names the tested versions. */
const oldestTestedVersion = 15

const ask: Statement = {
  text: `
    SELECT current_setting('server_version_num')::int4 / 10000, current_setting('server_encoding'),
        current_setting('fsync'), current_setting('full_page_writes'),
        floor(extract(epoch FROM clock_timestamp()) * 1000)::int8`,
}
type SettingsRow = [version: number, encoding: string, fsync: string, fullPageWrites: string, time: bigint]
const findOthers: Statement = {
  text: `
    SELECT EXISTS (SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND application_name = current_setting('application_name'))`,
}
const unattended: Statement = { text: unattendedSql('(extract(epoch FROM clock_timestamp()) * 1000)::int8') }
const latestEvent: Statement = { text: 'SELECT at FROM events ORDER BY id DESC LIMIT 1' }

export async function inspect(url: string): Promise<Inspection> {
  const server = readServer(url)
  const session = await connectAtStart(server)
  try {
    const { rows } = await session.run(ask)
    const here = Date.now()
    const [version, encoding, fsync, fullPageWrites, time] = rows[0] as SettingsRow
    const schema = await schemaNumber(session)
    const [newerPart] = await newerParts(session, schema)
    const found = {
      schema,
      latestSchema: latestSchema(),
      newerPart: newerPart && `${newerPart.kind} ${newerPart.name}`,
      maxAhead: 1,
      environment: await environmentOf(session),
      hasUnfinishedCopy: (await unfinishedCopy(session)) !== undefined,
      isInUse: server.keepsSession ? await isInUse(session) : true,
      latestEventAt: timeOf(await firstRow(session, latestEvent)),
      deliveriesUnattendedSince: timeOf(await firstRow(session, unattended)),
      clocks: { server: Number(time), here },
      unsafe: [
        ...isOff('fsync', fsync),
        ...isOff('full_page_writes', fullPageWrites),
        ...(encoding === 'UTF8' ? [] : [`Its encoding is ${encoding}, but must be UTF8: names would be damaged.`]),
      ],
      doubtful:
        version >= oldestTestedVersion
          ? []
          : [`The server is PostgreSQL ${version}: tests run with ${oldestTestedVersion} and later.`],
    }
    // Last: a refusal may leave the session in a failed transaction.
    return { ...found, notWritable: schema === 0 ? undefined : await whyNotWritable(session, server) }
  } catch (error) {
    throw error instanceof StorageError ? error : explain(server, error)
  } finally {
    await session.end()
  }
}

async function whyNotWritable(session: Session, server: Server): Promise<string | undefined> {
  try {
    await refuseReadOnly(session, server)
    return undefined
  } catch (error) {
    return (error as StorageError).message
  }
}

/** Other sessions with the name of ours. Behind a pooler they may have another one. */
async function isInUse(session: Session): Promise<boolean> {
  return ((await session.run(findOthers)).rows[0] as [boolean])[0]
}

function isOff(setting: string, value: string): string[] {
  return value === 'off' ? [`${setting} is off: a power loss can destroy the database. Turn it on.`] : []
}

/** Undefined also in an empty database. */
async function firstRow(session: Session, statement: Statement): Promise<unknown[] | undefined> {
  try {
    return (await session.run(statement)).rows[0]
  } catch (error) {
    if (codeOf(error) === '42P01') return undefined // No such table.
    throw error
  }
}

function timeOf(row: unknown[] | undefined): number | undefined {
  return row && Number(row[0])
}
