import { beginHistorySql, forgetHistoriesSql, newHistoryId } from '../../shared/writes/begin-history.ts'
import type { Session, Statement } from '../connection/database.ts'
import { codeOf } from '../connection/errors.ts'
import { counted } from '../schema/lineage.ts'
import type { BoundStatement } from '../connection/pipeline.ts'
import type { Server } from '../connection/server.ts'

/** Begins histories for writers: one for this process, and one more whenever it finds another server. */
export interface Histories {
  /** The statements that a transaction runs after it has locked the counters, before it assigns an id. */
  opening(session: Session): readonly BoundStatement[]
  /** Call it when that transaction was committed. */
  committed(session: Session): void
}

// The timeline changes with every failover and restored backup; the start time with anything else done to the files.
const runOfServer =
  "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || ' ' || extract(epoch FROM pg_postmaster_start_time())"
const newest = '(SELECT server FROM histories ORDER BY number DESC LIMIT 1)'
const now = '(extract(epoch FROM now()) * 1000)::int8'

export async function openHistories(session: Session, { keepsSession }: Server): Promise<Histories> {
  const server = (await canTell(session)) ? runOfServer : 'NULL::text'
  const begin: Statement = {
    name: 'begin_history',
    text: beginHistorySql({
      id: '$1',
      now,
      counters: counted,
      more: { server },
      where: `$2::boolean OR ${server} IS DISTINCT FROM ${newest}`,
    }),
  }
  const forget: Statement = { text: forgetHistoriesSql(now) }
  const checked = new WeakSet<Session>()
  let hasStarted = false

  return {
    opening(on) {
      if (!hasStarted) {
        return [
          [begin, [newHistoryId(), true]],
          [forget, []],
        ]
      }
      return checked.has(on) ? [] : [[begin, [newHistoryId(), false]]]
    },
    committed(on) {
      hasStarted = true
      // Behind a pooler the next transaction may reach another server.
      if (keepsSession) checked.add(on)
    },
  }
}

/** PostgreSQL-compatible engines with other storage have no timelines, and do not lose commits. */
async function canTell(session: Session): Promise<boolean> {
  try {
    await session.run({ text: `SELECT ${runOfServer}` })
    return true
  } catch (error) {
    if (/^(0A|42)/.test(codeOf(error) ?? '')) return false
    throw error
  }
}
