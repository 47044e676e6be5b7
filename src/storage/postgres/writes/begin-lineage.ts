import { beginLineageSql, deleteOldLineagesSql, newLineageId } from '../../shared/writes/begin-lineage.ts'
import type { Session } from '../connection/database.ts'
import type { BoundStatement, Statement } from '../connection/statement.ts'
import { codeOf } from '../connection/errors.ts'
import { counter } from '../schema/counters.ts'
import type { Server } from '../connection/server.ts'

/** Begins lineages for writers: one for this process, and one more whenever it finds another server. */
export interface Lineages {
  /** The statements that a transaction runs after it has locked the counters, before it assigns an id. */
  opening(session: Session): readonly BoundStatement[]
  /** Call it when that transaction was committed. */
  committed(session: Session): void
}

// The timeline changes with every failover and restored backup; the start time with anything else done to the files.
const runOfServer =
  "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || ' ' || extract(epoch FROM pg_postmaster_start_time())"
const newest = '(SELECT server FROM lineages ORDER BY number DESC LIMIT 1)'
const now = '(extract(epoch FROM now()) * 1000)::int8'

export async function openLineages(session: Session, { keepsSession }: Server): Promise<Lineages> {
  const server = (await hasTimelines(session)) ? runOfServer : 'NULL::text'
  const begin: Statement = {
    name: 'begin_lineage',
    text: beginLineageSql({
      id: '$1',
      now,
      lastEvent: `(${counter('events')})`,
      more: { server },
      where: `$2::boolean OR ${server} IS DISTINCT FROM ${newest}`,
    }),
  }
  const forget: Statement = { text: deleteOldLineagesSql(now) }
  const checked = new WeakSet<Session>()
  let hasStarted = false

  return {
    opening(on) {
      if (!hasStarted) {
        return [
          [begin, [newLineageId(), true]],
          [forget, []],
        ]
      }
      return checked.has(on) ? [] : [[begin, [newLineageId(), false]]]
    },
    committed(on) {
      hasStarted = true
      // Behind a pooler the next transaction may reach another server.
      if (keepsSession) checked.add(on)
    },
  }
}

/** PostgreSQL-compatible engines with other storage have no timelines, and do not lose commits. */
async function hasTimelines(session: Session): Promise<boolean> {
  try {
    await session.run({ text: `SELECT ${runOfServer}` })
    return true
  } catch (error) {
    if (/^(0A|42)/.test(codeOf(error) ?? '')) return false
    throw error
  }
}
