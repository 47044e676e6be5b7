import type { Inspection } from '../../shared/inspection.ts'
import { StorageError } from '../../shared/errors.ts'
import { connectAtStart } from '../connection/connect.ts'
import type { Session, Statement } from '../connection/database.ts'
import { environmentOf } from '../schema/environment.ts'
import { codeOf, explain } from '../connection/errors.ts'
import { latestSchema, schemaNumber } from '../schema/migrate.ts'
import { readServer } from '../connection/server.ts'
import { unfinishedCopy } from '../schema/unfinished-copy.ts'

/** docs/postgresql.md names the tested versions. */
const oldestTestedVersion = 15

const ask: Statement = {
  text: `
    SELECT current_setting('server_version_num')::int4 / 10000, current_setting('server_encoding'),
        current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),
        floor(extract(epoch FROM clock_timestamp()) * 1000)::int8`,
}
type SettingsRow = [version: number, encoding: string, ...durability: [string, string, string], time: bigint]
const latestEvent: Statement = { text: 'SELECT at FROM events ORDER BY id DESC LIMIT 1' }

export async function inspect(url: string): Promise<Inspection> {
  const server = readServer(url)
  const session = await connectAtStart(server)
  try {
    const { rows } = await session.run(ask)
    const here = Date.now()
    const [version, encoding, fsync, fullPageWrites, synchronousCommit, time] = rows[0] as SettingsRow
    return {
      schema: await schemaNumber(session),
      latestSchema: latestSchema(),
      maxAhead: 1,
      environment: await environmentOf(session),
      hasUnfinishedCopy: (await unfinishedCopy(session)) !== undefined,
      latestEventAt: await latestEventAt(session),
      clocks: { server: Number(time), here },
      unsafe: [
        ...isOff('fsync', fsync, 'a power loss can destroy the database'),
        ...isOff('full_page_writes', fullPageWrites, 'a power loss can destroy the database'),
        ...isOff('synchronous_commit', synchronousCommit, 'a crash loses acknowledged animals'),
        ...(encoding === 'UTF8' ? [] : [`Its encoding is ${encoding}, but must be UTF8: names would be damaged.`]),
      ],
      doubtful:
        version >= oldestTestedVersion
          ? []
          : [`The server is PostgreSQL ${version}: tests run with ${oldestTestedVersion} and later.`],
    }
  } catch (error) {
    throw error instanceof StorageError ? error : explain(server, error)
  } finally {
    await session.end()
  }
}

function isOff(setting: string, value: string, danger: string): string[] {
  return value === 'off' ? [`${setting} is off: ${danger}. Turn it on.`] : []
}

async function latestEventAt(session: Session): Promise<number | undefined> {
  try {
    const [row] = (await session.run(latestEvent)).rows as [bigint][]
    return row === undefined ? undefined : Number(row[0])
  } catch (error) {
    if (codeOf(error) === '42P01') return undefined // No such table.
    throw error
  }
}
