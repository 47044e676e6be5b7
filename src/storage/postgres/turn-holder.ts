import { counter } from './counters.ts'
import type { Session, Statement } from './database.ts'
import { RolledBack } from './errors.ts'

/** The transaction that has the turn. */
interface Holder {
  /** For the log. */
  description: string
  /** Whether the server is at work for it. It is not while it waits for a client, a replica or another lock. */
  isWorking: boolean
}

/** A group gave up waiting for its turn. Nothing of it is stored. */
export class TurnTaken extends RolledBack {
  readonly holder: Holder | undefined
  constructor(holder: Holder | undefined, cause: unknown) {
    super(cause)
    this.message = `Another session holds the turn to write: ${holder?.description ?? 'this role may not see which'}.`
    this.holder = holder
  }
}

/**
 * Whoever waits for its client in the middle of a group waits for somebody who is gone: a group is sent in one piece, and
 * a process that is alive gives up its connection before this.
 */
const stuckAfterMs = 3_000

// The row itself tells who holds it: its xmax. "active" and waiting for a client is a session that has read a part of its
// group; one that commits, or that waits for a replica, waits for something else. COPY waits for its client all the time.
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

/** Finds who has the turn. If that is a session of an instance that has vanished, it is ended and the turn is free. */
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
