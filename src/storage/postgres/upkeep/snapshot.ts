import { unavailable } from '../../../inventory/errors.ts'
import { columnsOf, type Snapshot, type Row } from '../../../inventory/snapshot.ts'
import { refuseOtherSchema } from '../../shared/refusals.ts'
import { tableOrder } from '../../shared/rows/table-order.ts'
import { StorageError } from '../../shared/errors.ts'
import { connectAtStart } from '../connection/connect.ts'
import type { Session } from '../connection/database.ts'
import type { Result, Statement } from '../connection/statement.ts'
import { explain, isTransient } from '../connection/errors.ts'
import { latestSchema, schemaNumber } from '../schema/migrate.ts'
import { readServer, type Server } from '../connection/server.ts'
import { neededSettings, type Settings, setSql } from '../connection/settings.ts'
import { refuseUnfinishedCopy } from '../schema/unfinished-copy.ts'

const snapshotSettings: Settings = { ...neededSettings, idle_in_transaction_session_timeout: '0' }
// All reads see the moment of the first statement. No timeouts: the target of a copy may be slow.
export const beginSnapshot: Statement = {
  text: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${setSql(snapshotSettings, 'transaction')}`,
}

export const { orderOf, isAfter } = tableOrder('number', (number) => `$${number}`)

/** Opens a database as the source of a copy, read-only. It must be complete and have this version's schema. */
export async function openSource(url: string): Promise<Snapshot> {
  const server = readServer(url)
  return openSnapshot(server, async (session) => {
    refuseOtherSchema(server.shown, await schemaNumber(session), latestSchema())
    await refuseUnfinishedCopy(session, server.shown)
  })
}

/** `approve` may refuse the database by throwing. */
export async function openSnapshot(
  server: Server,
  approve: (session: Session) => Promise<void> = async () => undefined,
): Promise<Snapshot> {
  const session = await connectAtStart(server)
  try {
    await session.run(beginSnapshot)
    await session.run({ text: 'SELECT 1' })
    await approve(session)
  } catch (error) {
    await session.end()
    throw error instanceof StorageError ? error : explain(server, error)
  }

  async function read(text: string, values: readonly unknown[] = []): Promise<Result> {
    try {
      return await session.run({ text }, values)
    } catch (error) {
      throw isTransient(error) ? unavailable(`The database ${server.shown} cannot be read.`, error) : error
    }
  }

  return {
    async count(kind) {
      const { rows } = await read(`SELECT count(*) FROM ${kind}`)
      return Number((rows[0] as [bigint])[0])
    },

    async rows(kind, limit, after = []) {
      const following = after.length === 0 ? '' : `WHERE ${isAfter(kind)}`
      const page = `SELECT ${columnsOf[kind].join(', ')} FROM ${kind} ${following} ORDER BY ${orderOf(kind)} LIMIT ${limit}`
      return (await read(page, after)).rows as Row[]
    },

    close: () => session.end(),
  }
}
