import { counter } from '../schema/counters.ts'
import type { Session } from '../connection/database.ts'
import type { Statement } from '../connection/statement.ts'
import { RolledBack } from '../connection/errors.ts'

/** The transaction that has locked the counters. */
interface Holder {
  /** For the log. */
  description: string
  /** Whether the server is executing it. It is not while it waits for a client, a replica or another lock. */
  isWorking: boolean
}

/** A group timed out waiting for the counters. Nothing of it is stored. */
export class CountersLocked extends RolledBack {
  readonly holder: Holder | undefined
  constructor(holder: Holder | undefined, cause: unknown) {
    super(cause)
    this.message = `Another session has locked the counters: ${holder?.description ?? 'this role may not see which'}.`
    this.holder = holder
  }
}

/**
 * A session that waits for its client in the middle of a group has lost its client: a group is sent at once, and a live
 * process drops its connection sooner than this.
 */
const stuckAfterMs = 3_000

// The row's xmax identifies the holder. A session that is "active" and waits for its client has read a part of its
// group; one that commits or waits for a replica has another wait event. COPY waits for its client all the time.
const endIfStuck: Statement = {
  text: `
    SELECT pid, application_name, state, wait_event_type, wait_event,
        (extract(epoch FROM clock_timestamp() - query_start) * 1000)::int4,
        CASE WHEN usename = current_user AND datname = current_database()
          AND state = 'active' AND wait_event_type = 'Client' AND query !~* '^\\s*copy'
          AND clock_timestamp() - query_start > interval '${stuckAfterMs} milliseconds'
        THEN pg_terminate_backend(pid) ELSE false END
      FROM pg_stat_activity WHERE backend_xid = (${counter('pets', 'xmax')})`,
}

type HolderRow = [
  pid: number,
  application: string,
  state: string | null,
  waitType: string | null,
  waitEvent: string | null,
  sinceMs: number | null,
  isEnded: boolean,
]

/** Finds who has locked the counters. Ends its session if its instance has vanished, which unlocks them. */
export async function endStuckHolder(session: Session): Promise<Holder | undefined> {
  const [row] = (await session.run(endIfStuck)).rows as HolderRow[]
  if (row === undefined) return undefined
  const [pid, application, state, waitType, waitEvent, sinceMs, isEnded] = row
  const waiting = waitEvent === null ? '' : `, waiting for ${waitEvent}`
  return {
    description: `process ${pid} (${application}), ${state}${waiting}, since ${sinceMs} ms${isEnded ? ', now ended' : ''}`,
    isWorking: state === 'active' && waitEvent !== 'SyncRep' && !['Client', 'Lock'].includes(waitType ?? ''),
  }
}
